import { describe, expect, it } from 'vitest';
import { ENGINES, openTestStore } from './store.testing.ts';

describe.each(ENGINES)('on the %s database', (engine) => {
  it('opens empty, and closes for good', async () => {
    const store = await openTestStore(engine);
    expect(await store.coverage('production')).toBeNull();
    expect(store.isOpen()).toBe(true);
    await store.close();
    expect(store.isOpen()).toBe(false);
  });
});
