import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { at, failureOf, openedEnvironment, reading, record } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { EVERYTHING, type Threshold } from '../watches/settings.ts';
import { incidentsAtThreshold, isReached } from './threshold.ts';

interface Case {
  title: string;
  threshold: { failures: number; withinMinutes: number; rate?: number };
  /** The minute of each failure. */
  failedAt: number[];
  isReached: boolean;
  /** How many events were created in each minute. */
  eventsAt?: Record<number, number>;
  /** By the minute of a failure, the one in which its event was created, if that is another. */
  createdAt?: Record<number, number>;
}

const THREE = { failures: 3, withinMinutes: 2 };
const A_TENTH = { failures: 2, withinMinutes: 2, rate: 0.1 };

test.for<Case>([
  {
    title: 'of three failures in two minutes is reached by them',
    threshold: THREE,
    failedAt: [0, 1, 1],
    isReached: true,
  },
  { title: 'of four is not', threshold: { ...THREE, failures: 4 }, failedAt: [0, 1, 1], isReached: false },
  { title: 'lets a minute leave as another comes', threshold: THREE, failedAt: [0, 2, 2], isReached: false },
  { title: 'is reached later than at first', threshold: THREE, failedAt: [0, 0, 5, 6, 6], isReached: true },
  {
    title: 'of a rate is not reached by fewer failures, whatever their share',
    threshold: { ...A_TENTH, failures: 3 },
    failedAt: [1, 1],
    eventsAt: { 1: 2 },
    isReached: false,
  },
  {
    title: 'is reached by a tenth of all events',
    threshold: A_TENTH,
    failedAt: [1, 1],
    eventsAt: { 0: 10, 1: 10 },
    isReached: true,
  },
  {
    title: 'is not reached by less than a tenth',
    threshold: A_TENTH,
    failedAt: [1, 1],
    eventsAt: { 0: 11, 1: 10 },
    isReached: false,
  },
  {
    title: 'counts no event of earlier minutes',
    threshold: A_TENTH,
    failedAt: [31, 31],
    eventsAt: { 29: 1, 31: 20 },
    isReached: true,
  },
  {
    title: 'counts the events of a minute once, though several that failed were created in it',
    threshold: { ...A_TENTH, withinMinutes: 1 },
    failedAt: [31, 31],
    createdAt: { 31: 1 },
    eventsAt: { 1: 20, 31: 5 },
    isReached: true,
  },
  {
    title: 'counts the events of each minute in which one that failed was created',
    threshold: A_TENTH,
    failedAt: [30, 31],
    createdAt: { 30: 1, 31: 2 },
    eventsAt: { 1: 10, 2: 11, 31: 5 },
    isReached: false,
  },
])('A threshold $title', ({ threshold, failedAt, eventsAt = {}, createdAt = {}, isReached: expected }) => {
  const { failures, withinMinutes, rate = null } = threshold;
  const ms = (minute: number | string) => Number(minute) * MINUTE_MS;
  const minutes = failedAt.map((at) => ({ minute: ms(at), created: ms(createdAt[at] ?? at), failures: 1 }));
  const counts = Object.entries(eventsAt).map(([at, count]) => ({ minute: ms(at), events: count }));
  expect(isReached({ failures, withinMs: ms(withinMinutes), rate }, minutes, counts)).toBe(expected);
});

const byMinute = (a: { minute: number }, b: { minute: number }) => a.minute - b.minute;
type RecordOf<Any> = { [Name in keyof Any]: Any[Name] extends fc.Arbitrary<infer Value> ? Value : never };
const sum = (all: readonly number[]) => all.reduce((total, count) => total + count, 0);

test('A threshold is reached where the sums of the minutes up to a failed one say so', () => {
  const minute = fc.nat(12).map((at) => at * MINUTE_MS);
  const small = fc.integer({ min: 1, max: 5 });
  const failed = fc.uniqueArray(fc.tuple(minute, fc.array(minute, { minLength: 1 })), { selector: ([at]) => at });
  const counts = fc.array(fc.tuple(minute, fc.nat(9))).map((all) => new Map(all));
  const cases = { failed, events: counts, failures: small, within: small, rate: fc.constantFrom(null, 0.1, 0.5, 1) };
  const check = ({ failed, events, failures, within, rate }: RecordOf<typeof cases>) => {
    const withinMs = within * MINUTE_MS;
    const eventsIn = (minutes: Iterable<number>) => sum([...new Set(minutes)].map((at) => events.get(at) ?? 0));
    const expected = failed.some(([last]) => {
      const isIn = (at: number) => at > last - withinMs && at <= last;
      const created = failed.filter(([at]) => isIn(at)).flatMap(([, all]) => all);
      const share = (rate ?? 0) * Math.max(eventsIn([...events.keys()].filter(isIn)), eventsIn(created));
      return created.length >= Math.max(failures, share);
    });
    const minutes = failed.flatMap(([minute, all]) => all.map((created) => ({ minute, created, failures: 1 })));
    const counted = [...events].map(([minute, events]) => ({ minute, events }));
    const [inOrder, countedInOrder] = [minutes.sort(byMinute), counted.sort(byMinute)];
    expect(isReached({ failures, withinMs, rate }, inOrder, countedInOrder)).toBe(expected);
  };
  fc.assert(fc.property(fc.record(cases), check));
});

describeStore('A rate', (store) => {
  async function reachedBy(threshold: Threshold, { ids = [1], filter = EVERYTHING } = {}) {
    return [...(await incidentsAtThreshold(store().db, 'production', ids, { filter, threshold }))];
  }

  async function countEvents(...counted: { minute: number; workflow: string; events: number }[]) {
    for (const { minute, workflow, events } of counted)
      await store().db.write(sql`
        INSERT INTO event_counts (environment, minute, workflow, events, unreadable)
        VALUES ('production', ${at(minute)}, ${workflow}, ${events}, 0)`);
  }

  test.for([
    { before: 30, reached: [1] },
    { before: 31, reached: [] },
  ])(
    'is of the events of its workflows, also of the minute in which the failed ones were created, with $before',
    async ({ before, reached }) => {
      const failed = (cause: string, workflow: string) => (created: number, place: number) =>
        failureOf(cause, { workflow, eventKey: `${cause}-${place}`, occurredAt: at(10), eventCreatedAt: at(created) });
      const failures = [...[0, 0, 0].map(failed('a', 'order-shipped')), ...[10, 10, 10].map(failed('b', 'welcome'))];
      await record(store(), await openedEnvironment(store()), reading({ failures }), at(11));
      await countEvents(
        { minute: 0, workflow: 'order-shipped', events: before },
        { minute: 10, workflow: 'order-shipped', events: 5 },
        { minute: 10, workflow: 'welcome', events: 31 },
      );
      const threshold = { failures: 3, withinMs: MINUTE_MS, rate: 0.1 };
      expect(await reachedBy(threshold, { ids: [1, 2] })).toEqual(reached);
    },
  );

  test('is of the events of those workflows alone that a filter names', async () => {
    const failed = (workflow: string, workflowName: string, place: number) =>
      failureOf('a', { workflow, workflowName, eventKey: `${workflow}-${place}` });
    const failures = [
      ...[1, 2, 3].map((place) => failed('order-shipped', 'Order shipped', place)),
      failed('news', 'News', 1),
    ];
    await record(store(), await openedEnvironment(store()), reading({ failures }), at(1));
    await countEvents(
      { minute: 0, workflow: 'order-shipped', events: 3 },
      { minute: 0, workflow: 'news', events: 1_000 },
      { minute: 0, workflow: 'welcome', events: 1 },
    );
    const threshold = { failures: 1, withinMs: MINUTE_MS, rate: 0.2 };
    const reached = [[], ['order-shipped'], ['ORDER SHIPPED'], ['order-shipped', 'news']].map((workflows) =>
      reachedBy(threshold, { filter: { ...EVERYTHING, workflows } }),
    );
    expect(await Promise.all(reached)).toEqual([[], [1], [1], []]);
  });
});
