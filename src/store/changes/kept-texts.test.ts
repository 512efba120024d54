import { expect, test } from 'vitest';
import { at, NOON } from '../examples.testing.ts';
import { describeStore } from '../store.testing.ts';

describeStore('texts that are kept', (store) => {
  test('are the newest of a key, whichever was written first', async () => {
    const { texts } = store();
    await texts.keepText('draft', 'first', at(60));
    await texts.keepText('draft', 'third', at(62));
    await texts.keepText('draft', 'second', at(61));
    expect(await texts.keptText('draft', NOON)).toBe('third');
    expect(await texts.keptText('draft', at(62))).toBeNull();
    await texts.keepText('draft', 'as long', at(62));
    expect(await texts.keptText('draft', NOON)).toBe('as long');
  });
});
