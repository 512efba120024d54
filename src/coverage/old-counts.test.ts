import { expect, test } from 'vitest';
import { DAY_MS } from '../lib/time/durations.ts';
import { at, openedEnvironment } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { mergeOldCounts } from './old-counts.ts';
import { successCounts } from './tables.ts';

const DAY = 24 * 60;

describeStore('Deliveries that were counted by the minute', (store) => {
  test('are counted by the quarter hour once their events are read no more, with how long they took and where they went', async () => {
    const { db } = store();
    await openedEnvironment(store());
    const sent = { environment: 'production', workflow: 'order-shipped', channel: 'email', provider: 'sendgrid' };
    const counted = (minute: number, successes: number, domains: Record<string, number> | null) => {
      const times = { created: at(0), minute: at(minute), lastAt: at(minute) };
      return { ...sent, ...times, successes, latencies: { 2: successes }, domains };
    };
    const rows = [
      counted(0, 1, { 'a.example': 1 }),
      counted(7, 2, null),
      counted(14, 3, { 'a.example': 1, 'b.example': 2 }),
      counted(15, 4, null),
    ];
    await db.insert(successCounts).values(rows);
    const merge = (minutes: number) => mergeOldCounts({ db, now: () => at(minutes), horizonMs: 3 * DAY_MS });
    expect([await merge(8 * DAY), await merge(8 * DAY + 1), await merge(9 * DAY)]).toEqual([0, 2, 0]);
    expect(await db.select().from(successCounts).orderBy(successCounts.minute)).toMatchObject([
      {
        minute: at(0),
        successes: 6,
        lastAt: at(14),
        latencies: { 2: 6 },
        domains: { 'a.example': 2, 'b.example': 2 },
      },
      { minute: at(15), successes: 4, latencies: { 2: 4 }, domains: null },
    ]);
  });
});
