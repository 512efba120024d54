import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { at, failureOf, openedEnvironment, reading, record } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { EVERYTHING, type Threshold } from '../watches/settings.ts';
import { isReached, reachedIn } from './threshold.ts';

type PerMinute = Record<number, number>;
type Case = [string, [number, number, number?], number[], boolean, PerMinute?, PerMinute?];

test.for<Case>([
  ['of three failures in two minutes is reached by them', [3, 2], [0, 1, 1], true],
  ['of four is not', [4, 2], [0, 1, 1], false],
  ['lets a minute leave as another comes', [3, 2], [0, 2, 2], false],
  ['is reached later than at first', [3, 2], [0, 0, 5, 6, 6], true],
  ['of a rate takes as many failures too', [3, 2, 0.1], [1, 1], false, { 1: 2 }],
  ['is reached by a tenth of all events', [2, 2, 0.1], [1, 1], true, { 0: 10, 1: 10 }],
  ['is not reached by less than a tenth', [2, 2, 0.1], [1, 1], false, { 0: 11, 1: 10 }],
  ['counts no event of earlier minutes', [2, 2, 0.1], [31, 31], true, { 29: 1, 31: 20 }],
  ['counts once what the failed were created with', [2, 1, 0.1], [31, 31], true, { 1: 20, 31: 5 }, { 31: 1 }],
  [
    'counts all that the failed were created with',
    [2, 2, 0.1],
    [30, 31],
    false,
    { 1: 10, 2: 11, 31: 5 },
    { 30: 1, 31: 2 },
  ],
])('A threshold %s', ([, [failures, within, rate = null], failed, is, events = {}, created = {}]) => {
  const ms = (minute: number | string) => Number(minute) * MINUTE_MS;
  const minutes = failed.map((at) => ({ minute: ms(at), created: ms(created[at] ?? at), failures: 1 }));
  const counts = Object.entries(events).map(([at, count]) => ({ minute: ms(at), events: count }));
  expect(isReached({ failures, withinMs: ms(within), rate }, minutes, counts)).toBe(is);
});

test('A threshold is reached where the sums of the minutes up to a failed one say so', () => {
  const minute = fc.nat(12).map((at) => at * MINUTE_MS);
  const small = fc.integer({ min: 1, max: 5 });
  const failed = fc.uniqueArray(fc.tuple(minute, fc.array(minute, { minLength: 1 })), { selector: ([at]) => at });
  const counts = fc.array(fc.tuple(minute, fc.nat(9))).map((all) => new Map(all));
  const cases = { failed, events: counts, failures: small, within: small, rate: fc.constantFrom(null, 0.1, 0.5, 1) };
  const check = ({ failed, events, failures, within, rate }: RecordOf<typeof cases>) => {
    const withinMs = within * MINUTE_MS;
    const tried = (minutes: Iterable<number>) => sum([...new Set(minutes)].map((at) => events.get(at) ?? 0));
    const is = failed.some(([last]) => {
      const isIn = (at: number) => at > last - withinMs && at <= last;
      const created = failed.filter(([at]) => isIn(at)).flatMap(([, all]) => all);
      const share = (rate ?? 0) * Math.max(tried([...events.keys()].filter(isIn)), tried(created));
      return created.length >= Math.max(failures, share);
    });
    const minutes = failed.flatMap(([minute, all]) => all.map((created) => ({ minute, created, failures: 1 })));
    const counted = [...events].map(([minute, events]) => ({ minute, events }));
    const [inOrder, countedInOrder] = [minutes.sort(byMinute), counted.sort(byMinute)];
    expect(isReached({ failures, withinMs, rate }, inOrder, countedInOrder)).toBe(is);
  };
  fc.assert(fc.property(fc.record(cases), check));
});

const byMinute = (a: { minute: number }, b: { minute: number }) => a.minute - b.minute;
type RecordOf<Any> = { [Name in keyof Any]: Any[Name] extends fc.Arbitrary<infer Value> ? Value : never };
const sum = (all: readonly number[]) => all.reduce((total, count) => total + count, 0);

describeStore('A rate', (store) => {
  async function reachedBy(threshold: Threshold, { ids = [1], filter = EVERYTHING } = {}) {
    return [...(await reachedIn(store().db, 'production', ids, { filter, threshold }))];
  }

  test.for<[number, number[]]>([
    [30, [1]],
    [31, []],
  ])('is of the events of its workflows, also of when the failed ones were created: %j', async ([before, reached]) => {
    const failed = (cause: string, workflow: string) => (created: number, place: number) =>
      failureOf(cause, { workflow, eventKey: `${cause}-${place}`, occurredAt: at(10), eventCreatedAt: at(created) });
    const failures = [...[0, 0, 0].map(failed('a', 'order-shipped')), ...[10, 10, 10].map(failed('b', 'welcome'))];
    await record(store(), await openedEnvironment(store()), reading({ failures }), at(11));
    const counted = [at(0), 'order-shipped', before, at(10), 'order-shipped', 5, at(10), 'welcome', 31];
    await store().db.write(EVENTS, counted);
    const threshold = { failures: 3, withinMs: MINUTE_MS, rate: 0.1 };
    expect(await reachedBy(threshold, { ids: [1, 2] })).toEqual(reached);
  });

  test('is of the events of those workflows alone that a filter names', async () => {
    const failed = (workflow: string, workflowName: string, place: number) =>
      failureOf('a', { workflow, workflowName, eventKey: `${workflow}-${place}` });
    const failures = [
      ...[1, 2, 3].map((place) => failed('order-shipped', 'Order shipped', place)),
      failed('news', 'News', 1),
    ];
    await record(store(), await openedEnvironment(store()), reading({ failures }), at(1));
    await store().db.write(EVENTS, [at(0), 'order-shipped', 3, at(0), 'news', 1_000, at(0), 'welcome', 1]);
    const threshold = { failures: 1, withinMs: MINUTE_MS, rate: 0.2 };
    const reached = [[], ['order-shipped'], ['ORDER SHIPPED'], ['order-shipped', 'news']].map((workflows) =>
      reachedBy(threshold, { filter: { ...EVERYTHING, workflows } }),
    );
    expect(await Promise.all(reached)).toEqual([[], [1], [1], []]);
  });
});

const EVENTS = `
  INSERT INTO event_counts (environment, minute, workflow, events, unreadable) VALUES
  ('production', $1, $2, $3, 0), ('production', $4, $5, $6, 0), ('production', $7, $8, $9, 0)`;
