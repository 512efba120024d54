import { expect, it } from 'vitest';
import { at, NOON, reading, sighting, takeCursor } from './examples.testing.ts';
import { describeStore } from './store.testing.ts';

describeStore('how the reading goes', (store) => {
  it('is nothing before an environment was read', async () => {
    expect(await store().health(NOON)).toEqual([]);
  });

  it('says how far an environment was read, and how many events are due', async () => {
    const cursor = await takeCursor(store());
    const due = ['a', 'b'].map((eventKey) => sighting({ eventKey, createdAt: at(-2), nextReadAt: at(1) }));
    await store().record(cursor, reading({ sightings: due, completed: { from: at(-60), to: NOON } }), NOON);
    expect(await store().health(at(1))).toEqual([
      {
        environment: 'production',
        readTo: NOON,
        newestEventAt: at(-2),
        lastRoundAt: null,
        lastSuccessAt: null,
        failingSince: null,
        problem: null,
        behindMs: 0,
        clockAheadMs: null,
        openGaps: 0,
        unreadMs: 0,
        dueRereads: 2,
      },
    ]);
    expect(await store().health(NOON)).toMatchObject([{ dueRereads: 0 }]);
  });
});
