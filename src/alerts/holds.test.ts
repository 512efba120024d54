import { expect, test } from 'vitest';
import { at } from '../store/examples.testing.ts';
import { owedLater } from './holds.ts';
import { describeNight } from './night.testing.ts';

describeNight('What waits for the end of quiet hours', (night, store) => {
  test('is counted by incidents, with when the first of it is told, until it was', async () => {
    await night.watch({ quiet: { from: 12 * 60, to: 12 * 60 + 30 } });
    await night.watch({ quiet: { from: 12 * 60, to: 13 * 60 } }, 'C0OTHER');
    night.minutes = 1;
    await night.poll(...night.many(3), ...night.many(3, { channel: 'sms', provider: 'twilio', from: 3 }));
    expect(await owedLater(store().db, ['production'])).toEqual({ incidents: 2, until: at(30) });
    expect(await owedLater(store().db, ['staging'])).toEqual({ incidents: 0, until: null });
    await night.wait(60);
    expect(await owedLater(store().db, ['production'])).toEqual({ incidents: 0, until: null });
  });
});
