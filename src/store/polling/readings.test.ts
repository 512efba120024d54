import { describe, expect, test } from 'vitest';
import { FencedOffError } from '../../domain/errors.ts';
import { ALL_FAILURES } from '../../domain/failures/failure-filter.ts';
import { aWorkflow } from '../../domain/service/event.testing.ts';
import {
  ALL_TIME,
  at,
  checkedTo,
  failure,
  NOON,
  reading,
  stretch,
  takeCursor,
  trackedEvent,
} from '../examples.testing.ts';
import { describeStore } from '../store.testing.ts';

describeStore('stored readings', (store) => {
  const eventsChecked = async (): Promise<number> =>
    (await store().polling.failuresIn('production', ALL_TIME, ALL_TIME, ALL_FAILURES)).eventsChecked;

  test('count deliveries of the same minute once, whether their provider is empty or not named', async () => {
    const delivered = [null, ''].map((provider) => ({ channel: 'email', provider, at: at(-2) }));
    const settled = trackedEvent({ delivered });
    await store().polling.record(await takeCursor(store()), reading({ trackedEvents: [settled] }), NOON);
    const { rows } = await store().executeSql('SELECT provider, successes FROM success_counts');
    expect(rows).toEqual([{ provider: '', successes: 2 }]);
  });

  test('count the deliveries of an event once, though an older answer that comes late has it unsettled again', async () => {
    const settled = trackedEvent({ delivered: [{ channel: 'email', provider: null, at: at(-2) }] });
    const older = trackedEvent({ nextReadAt: at(1) });
    const cursor = await takeCursor(store());
    for (const answer of [older, settled, older, settled]) {
      await store().polling.record(cursor, reading({ trackedEvents: [answer] }), NOON);
    }
    const { rows } = await store().executeSql('SELECT successes FROM success_counts');
    expect(rows).toEqual([{ successes: 1 }]);
    expect(await store().polling.dueEvents('production', at(5), 10)).toEqual([]);
  });

  describe('the cursor', () => {
    test("begins at the first reading's start, and covers nothing yet", async () => {
      expect(await takeCursor(store())).toEqual({
        environment: 'production',
        version: 1,
        coveredFrom: at(-60),
        checkedTo: at(-60),
        newestEventAt: null,
        lastSuccessAt: null,
        lastPollAt: null,
        clockAheadMs: null,
        problem: null,
      });
      expect(await store().polling.coverage('production')).toBeNull();
    });

    test('moves with what was read and stores the newest event', async () => {
      const cursor = await takeCursor(store());
      await store().polling.record(cursor, reading({ trackedEvents: [trackedEvent({ createdAt: at(-2) })] }), NOON);
      const present = { to: NOON, setAside: [], clockAheadMs: null, newestEventAt: at(-2) };
      await store().polling.finishPresent(cursor, present, NOON);
      expect(await takeCursor(store())).toMatchObject({ checkedTo: NOON, newestEventAt: at(-2), lastPollAt: NOON });
      expect(await store().polling.coverage('production')).toEqual({ from: at(-60), to: NOON, checkedAt: NOON });
    });

    test('never moves back', async () => {
      await checkedTo(store(), NOON);
      await checkedTo(store(), at(-5));
      expect(await takeCursor(store())).toMatchObject({ checkedTo: NOON });
    });

    test('stores what kept the last poll from reading, until one succeeds', async () => {
      await store().polling.noteTrouble(await takeCursor(store()), { kind: 'unreachable' }, NOON);
      expect(await takeCursor(store())).toMatchObject({ problem: { kind: 'unreachable' }, checkedTo: at(-60) });
      await checkedTo(store(), at(1));
      expect(await takeCursor(store())).toMatchObject({ problem: null });
    });

    test('fences off the poll that took it before, which then writes nothing', async () => {
      const before = await takeCursor(store());
      const after = await takeCursor(store());
      const page = reading({ trackedEvents: [trackedEvent()], failures: [failure()] });
      await expect(store().polling.record(before, page, NOON)).rejects.toThrow(FencedOffError);
      await expect(store().polling.noteMissed(before, { eventKey: 'event-1', nextReadAt: null })).rejects.toThrow(
        FencedOffError,
      );
      const present = { to: NOON, setAside: [stretch(at(-60), NOON)], clockAheadMs: null, newestEventAt: null };
      await expect(store().polling.finishPresent(before, present, NOON)).rejects.toThrow(FencedOffError);
      await expect(store().polling.noteTrouble(before, { kind: 'unreachable' }, NOON)).rejects.toThrow(FencedOffError);
      expect(await store().polling.gapsIn('production', ALL_TIME)).toEqual([]);
      expect(await eventsChecked()).toBe(0);
      expect(await store().polling.record(after, page, NOON)).toEqual({
        newEvents: 1,
        newFailures: 1,
        newUnreadable: 0,
      });
    });

    test('is separate for each environment', async () => {
      await takeCursor(store());
      expect(await store().polling.takeCursor('staging', NOON)).toMatchObject({ version: 1, checkedTo: NOON });
    });
  });

  describe('a page', () => {
    const page = reading({
      trackedEvents: [trackedEvent(), trackedEvent({ eventKey: 'event-2', workflow: null, createdAt: null })],
      failures: [failure(), failure({ detailId: 'detail-2', occurredAt: null, eventCreatedAt: null })],
      unreadable: [{ key: 'odd', createdAt: null }],
    });

    test('counts once, however often it is read', async () => {
      const cursor = await takeCursor(store());
      expect(await store().polling.record(cursor, page, NOON)).toEqual({
        newEvents: 2,
        newFailures: 2,
        newUnreadable: 1,
      });
      expect(await store().polling.record(cursor, page, at(1))).toEqual({
        newEvents: 0,
        newFailures: 0,
        newUnreadable: 0,
      });
      expect(await store().polling.failuresIn('production', ALL_TIME, ALL_TIME, ALL_FAILURES)).toMatchObject({
        eventsChecked: 2,
        unreadable: 1,
        counts: { failed: 2 },
        workflowEvents: new Map([['order-shipped', 1]]),
      });
    });

    test('can name an event twice', async () => {
      const twice = reading({ trackedEvents: [trackedEvent(), trackedEvent()], failures: [failure(), failure()] });
      const cursor = await takeCursor(store());
      expect(await store().polling.record(cursor, twice, NOON)).toEqual({
        newEvents: 1,
        newFailures: 1,
        newUnreadable: 0,
      });
    });

    test('leaves a failure in its first group', async () => {
      const cursor = await takeCursor(store());
      await store().polling.record(cursor, reading({ failures: [failure()] }), NOON);
      await store().polling.record(cursor, reading({ failures: [failure({ verdict: 'retried-then-fine' })] }), at(1));
      const { counts, groups } = await store().polling.failuresIn('production', ALL_TIME, ALL_TIME, ALL_FAILURES);
      expect(counts).toEqual({ failed: 1 });
      expect(groups).toHaveLength(1);
    });

    test('can contain any text and any time', async () => {
      const odd = 'NUL \0, half a pair \ud800, "quotes", emoji 🚨, \\u0000';
      const never = new Date(8.64e15);
      const odder = reading({
        trackedEvents: [trackedEvent({ eventKey: odd, createdAt: never })],
        failures: [failure({ eventKey: odd, cause: { text: odd, key: odd }, occurredAt: new Date(-8.64e15) })],
      });
      const cursor = await takeCursor(store());
      expect(await store().polling.record(cursor, odder, NOON)).toEqual({
        newEvents: 1,
        newFailures: 1,
        newUnreadable: 0,
      });
    });
  });

  describe('rereading', () => {
    test('is due from its scheduled time, the longest overdue first', async () => {
      const cursor = await takeCursor(store());
      const trackedEvents = [
        trackedEvent({ eventKey: 'later', nextReadAt: at(9) }),
        trackedEvent({ eventKey: 'second', eventId: null, nextReadAt: at(2) }),
        trackedEvent({ eventKey: 'first', nextReadAt: at(1) }),
        trackedEvent({ eventKey: 'never', nextReadAt: null }),
      ];
      await store().polling.record(cursor, reading({ trackedEvents }), NOON);
      expect(await store().polling.dueEvents('production', at(5), 10)).toEqual([
        { eventKey: 'first', eventId: 'event-1', createdAt: NOON, reads: 1, misses: 0 },
        { eventKey: 'second', eventId: null, createdAt: NOON, reads: 1, misses: 0 },
      ]);
      expect(await store().polling.dueEvents('production', at(5), 1)).toHaveLength(1);
      expect(await store().polling.dueEvents('staging', at(5), 10)).toEqual([]);
    });

    test('counts how often an event was read and reschedules it', async () => {
      const cursor = await takeCursor(store());
      await store().polling.record(cursor, reading({ trackedEvents: [trackedEvent({ nextReadAt: at(1) })] }), NOON);
      await store().polling.record(cursor, reading({ trackedEvents: [trackedEvent({ nextReadAt: at(3) })] }), at(1));
      expect(await store().polling.dueEvents('production', at(2), 10)).toEqual([]);
      expect(await store().polling.dueEvents('production', at(3), 10)).toMatchObject([{ reads: 2 }]);
    });

    test('writes no row for an event that stays settled', async () => {
      const cursor = await takeCursor(store());
      const versions = async () =>
        (await store().executeSql('SELECT event_key, xmin::text FROM tracked_events ORDER BY event_key')).rows;
      const trackedEvents = [
        trackedEvent({ eventKey: 'open', nextReadAt: at(1) }),
        trackedEvent({ eventKey: 'settled' }),
      ];
      await store().polling.record(cursor, reading({ trackedEvents }), NOON);
      const [open, settled] = await versions();
      await store().polling.record(cursor, reading({ trackedEvents }), at(1));
      const [openNow, settledNow] = await versions();
      expect(settledNow).toEqual(settled);
      expect(openNow).not.toEqual(open);
    });

    test('is postponed for a missed event, whose misses count until it is seen, and ends for one given up', async () => {
      const cursor = await takeCursor(store());
      const due = ['a', 'b', 'c'].map((eventKey) => trackedEvent({ eventKey, nextReadAt: NOON }));
      await store().polling.record(cursor, reading({ trackedEvents: due }), NOON);
      await store().polling.noteMissed(cursor, { eventKey: 'a', nextReadAt: at(5) });
      await store().polling.noteMissed(cursor, { eventKey: 'a', nextReadAt: at(6) });
      await store().polling.noteMissed(cursor, { eventKey: 'b', nextReadAt: null });
      const missesAt = async (now: Date) =>
        (await store().polling.dueEvents('production', now, 10)).map(({ eventKey, misses }) => [eventKey, misses]);
      expect(await missesAt(at(5))).toEqual([['c', 0]]);
      expect(await missesAt(at(1000))).toEqual([
        ['c', 0],
        ['a', 2],
      ]);
      await store().polling.record(
        cursor,
        reading({ trackedEvents: [trackedEvent({ eventKey: 'a', nextReadAt: NOON })] }),
        at(7),
      );
      expect(await missesAt(NOON)).toEqual(expect.arrayContaining([['a', 0]]));
      expect(await store().polling.health(NOON)).toMatchObject([{ givenUp: 1 }]);
    });

    test("isn't changed by a response that omits a known event's steps", async () => {
      const cursor = await takeCursor(store());
      const partial = trackedEvent({ nextReadAt: at(2), isPartial: true });
      await store().polling.record(cursor, reading({ trackedEvents: [partial] }), NOON);
      await store().polling.record(cursor, reading({ trackedEvents: [trackedEvent({ nextReadAt: null })] }), at(2));
      await store().polling.record(cursor, reading({ trackedEvents: [{ ...partial, nextReadAt: at(4) }] }), at(3));
      expect(await store().polling.dueEvents('production', at(1000), 10)).toEqual([]);
    });
  });

  test('counts the events of the minutes in some windows once, the oldest first, including unreadable ones', async () => {
    const cursor = await takeCursor(store());
    const trackedEvents = [0.1, 0.2, 1.5, 3.5].map((minute) =>
      trackedEvent({ eventKey: `e${minute}`, createdAt: at(minute) }),
    );
    const unreadable = [{ key: 'odd', createdAt: at(0.3) }];
    await store().polling.record(cursor, reading({ trackedEvents, unreadable }), at(5));
    const windows = [
      { from: at(3), to: at(4) },
      { from: NOON, to: at(0.25) },
      { from: at(0.25), to: at(0.5) },
    ];
    expect(await store().polling.minutesWithEvents('production', windows)).toEqual([
      { minute: NOON, events: 3 },
      { minute: at(3), events: 1 },
    ]);
    expect(await store().polling.minutesWithEvents('production', [])).toEqual([]);
  });

  test('stores the workflows of the events checked as last seen, the most recent first', async () => {
    const workflow = (identifier: string, name: string) => aWorkflow({ identifier, name, variables: ['orderId'] });
    const cursor = await takeCursor(store());
    const seen = (minute: number, identifier: string, name: string) =>
      trackedEvent({ eventKey: name, createdAt: at(minute), workflow: workflow(identifier, name) });
    const trackedEvents = [
      seen(1, 'welcome', 'Welcome'),
      seen(3, 'order', 'Order, new'),
      seen(2, 'order', 'Order, old'),
    ];
    await store().polling.record(cursor, reading({ trackedEvents }), NOON);
    expect(await store().polling.workflows('production')).toEqual([
      workflow('order', 'Order, new'),
      workflow('welcome', 'Welcome'),
    ]);
    await store().polling.record(cursor, reading({ trackedEvents: [seen(0, 'order', 'Order, older still')] }), NOON);
    expect(await store().polling.workflows('production')).toMatchObject([{ name: 'Order, new' }, { name: 'Welcome' }]);
    expect(await store().polling.workflows('staging')).toEqual([]);
  });
});
