import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ServiceProblem } from '../errors.ts';
import { at } from '../service/event.testing.ts';
import { lengthOf } from './reading-windows.ts';
import { gapAfter, latenessOf, type Pace, paceOf, type Stretch, worstDelays } from './recheck-pace.ts';
import { eventsIn, HORIZON, HOUR, playSteadyLoad, sweepOnce } from './sweeps.testing.ts';
import {
  afterCheck,
  type CheckedRun,
  chunksOf,
  chunksOfRun,
  dueRuns,
  inBatches,
  type Run,
  stretchesAt,
} from './sweeps.ts';

const MINUTE = 60_000;
const NOW = at(0);
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const DENSE: Pace = { share: 1 / 3, horizonMs: HORIZON, pollMs: MINUTE };

function aStretch(fromAge: number, toAge: number, change: Partial<Stretch> = {}): Stretch {
  return {
    from: ago(fromAge),
    to: ago(toAge),
    checkedAt: null,
    events: 0,
    failedChecks: 0,
    notBefore: null,
    ...change,
  };
}

const runOf = (...stretches: readonly [Stretch, ...Stretch[]]): Run => ({
  from: stretches[0].from,
  to: stretches.at(-1)?.to ?? stretches[0].to,
  stretches,
});

describe('the gap between two checks', () => {
  test('is a share of the age, and at 15 minutes as long as at younger ages', () => {
    expect(gapAfter(3 * HOUR, DENSE)).toBe(HOUR);
    expect(gapAfter(2 * MINUTE, DENSE)).toBe(5 * MINUTE);
    expect(gapAfter(15 * MINUTE, DENSE)).toBe(5 * MINUTE);
  });

  test('and the delay of a check are whole milliseconds, whatever the share and the age', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.05, max: 50, noNaN: true }),
        fc.integer({ min: 0, max: HORIZON }),
        (share, age) => {
          const pace = { ...DENSE, share };
          expect(gapAfter(age, pace) % 1).toBe(0);
          const checked = aStretch(age + 2 * HOUR, age + HOUR, { checkedAt: ago(age) });
          expect(latenessOf(checked, pace, NOW) % 1).toBe(0);
        },
      ),
    );
  });

  test('is never longer than between the six ages 2 min, 10 min, 1 h, 6 h, 24 h and the horizon', () => {
    const coarse = { ...DENSE, share: 1_000 };
    const gaps = [2, 9, 10, 59, 60, 359, 360, 1439, 1440, 4319].map((age) => gapAfter(age * MINUTE, coarse) / MINUTE);
    expect(gaps).toEqual([8, 8, 50, 50, 300, 300, 1080, 1080, 2880, 2880]);
  });

  test.each([
    [2_000, 0.05, 0.09],
    [10_000, 0.28, 0.34],
    [20_000, 0.6, 0.8],
    [50_000, 1.5, 4],
  ])('depends on the events an hour: %d', (eventsAnHour, least, most) => {
    let stretches: Stretch[] = [];
    for (let age = 2; age < 4_320; age *= 1.05) {
      const [to, from] = [ago(age * MINUTE), ago(age * 1.05 * MINUTE)];
      const checkedAt = new Date(NOW.getTime() - (age * MINUTE) / 10);
      stretches = [
        { ...aStretch(0, 0), from, to, checkedAt, events: eventsIn({ from, to }, eventsAnHour) },
        ...stretches,
      ];
    }
    const { share } = paceOf(stretches, { requestsAMinute: 90, horizonMs: HORIZON, pollMs: MINUTE });
    expect(share).toBeGreaterThan(least);
    expect(share).toBeLessThanOrEqual(most);
  });

  test('is a twentieth of the age if there are hardly any events', () => {
    expect(paceOf([], { requestsAMinute: 90, horizonMs: HORIZON, pollMs: MINUTE }).share).toBe(0.05);
  });
});

describe('a due stretch', () => {
  const checked = (fromAge: number, toAge: number, checkedAgo: number, change: Partial<Stretch> = {}) =>
    aStretch(fromAge, toAge, { checkedAt: ago(checkedAgo), events: 200, ...change });

  test('is checked at the last poll before its gap is too long', () => {
    // At an age of 60 min, 20 min are too long.
    expect(dueRuns([checked(80 * MINUTE, 78 * MINUTE, 18 * MINUTE)], DENSE, NOW)).toEqual([]);
    expect(dueRuns([checked(81 * MINUTE, 79 * MINUTE, 19 * MINUTE)], DENSE, NOW)).toHaveLength(1);
  });

  test("isn't checked a second time at an early poll", () => {
    const dense = { ...DENSE, share: 0.05 };
    expect(dueRuns([checked(5 * MINUTE, 4 * MINUTE, 20_000)], dense, NOW)).toEqual([]);
  });

  test('is checked once more at the horizon, and then done', () => {
    const stretch = checked(HORIZON + HOUR, HORIZON, 10 * HOUR);
    const [run] = dueRuns([stretch], DENSE, NOW);
    if (run === undefined) throw new Error('nothing is due');
    expect(afterCheck(run, { at: NOW, unchecked: [], eventsIn: () => 200 }, DENSE)).toEqual([]);
    expect(dueRuns([checked(HORIZON, HORIZON - 10 * MINUTE, 17 * HOUR)], DENSE, NOW)).toEqual([]);
  });

  test('comes first if it is new, then if it is late by the greatest share of its age', () => {
    const old = checked(50 * HOUR, 49 * HOUR, 18 * HOUR);
    const late = checked(3 * HOUR, 2.9 * HOUR, 2 * HOUR);
    const fresh = aStretch(3 * MINUTE, 2 * MINUTE);
    expect(dueRuns([old, late, fresh], DENSE, NOW).map(({ stretches }) => stretches)).toEqual([[fresh], [late], [old]]);
  });

  test("comes first only up to an age of ten minutes, and only if it wasn't checked before", () => {
    const late = checked(50 * HOUR, 49 * HOUR, 48.5 * HOUR);
    const [tenMinutes, older] = [aStretch(11 * MINUTE, 10 * MINUTE), aStretch(13 * MINUTE, 12 * MINUTE)];
    const young = checked(9 * MINUTE, 8 * MINUTE, 6 * MINUTE);
    const order = dueRuns([late, older, tenMinutes, young], DENSE, NOW).map(({ stretches }) => stretches);
    expect(order).toEqual([[tenMinutes], [late], [older], [young]]);
  });

  test('comes as early as the most urgent one of those that are checked with it', () => {
    const lessUrgent = checked(200 * MINUTE, 198 * MINUTE, 49 * MINUTE);
    const urgent = checked(81 * MINUTE, 79 * MINUTE, 40 * MINUTE, { events: 20 });
    const along = checked(79 * MINUTE, 77 * MINUTE, 11 * MINUTE, { events: 20 });
    const order = dueRuns([lessUrgent, urgent, along], DENSE, NOW).map(({ stretches }) => stretches);
    expect(order).toEqual([[urgent, along], [lessUrgent]]);
  });

  test('waits after a failed check, twice as long each time', () => {
    const failed = {
      window: { from: ago(62 * MINUTE), to: ago(61 * MINUTE) },
      problem: { kind: 'timed-out', afterMs: 1 },
    } as const;
    let stretch = checked(63 * MINUTE, 60 * MINUTE, 40 * MINUTE);
    const waits: number[] = [];
    for (let tries = 0; tries < 3; tries++) {
      const pieces = afterCheck(runOf(stretch), { at: NOW, unchecked: [failed], eventsIn: () => 7 }, DENSE);
      const left = pieces.find(({ failedChecks }) => failedChecks > 0);
      if (left?.notBefore == null) throw new Error('nothing waits');
      expect([left.from, left.to, left.checkedAt]).toEqual([failed.window.from, failed.window.to, stretch.checkedAt]);
      expect(dueRuns([left], DENSE, NOW)).toEqual([]);
      expect(dueRuns([left], DENSE, left.notBefore)).toHaveLength(1);
      waits.push((left.notBefore.getTime() - NOW.getTime()) / MINUTE);
      stretch = left;
    }
    expect(waits).toEqual([1, 2, 4]);
  });

  test.each<ServiceProblem>([{ kind: 'rate-limited', retryAfterMs: 5_000 }, { kind: 'unreachable' }])(
    'is due at once if the service as a whole stopped answering, whatever failed before: $kind',
    (problem) => {
      const stretch = { ...checked(63 * MINUTE, 60 * MINUTE, 40 * MINUTE), failedChecks: 3 };
      const window = { from: ago(62 * MINUTE), to: stretch.to };
      const outcome = { at: NOW, unchecked: [{ window, problem }], eventsIn: () => 7 };
      const left = afterCheck(runOf(stretch), outcome, DENSE).filter(({ checkedAt }) => checkedAt !== NOW);
      expect(left).toEqual([{ ...stretch, ...window }]);
      expect(dueRuns(left, DENSE, NOW)).toHaveLength(1);
    },
  );

  test("isn't retried if the plan retains nothing", () => {
    const stretch = checked(63 * MINUTE, 60 * MINUTE, 40 * MINUTE);
    const unchecked = [{ window: stretch, problem: { kind: 'beyond-plan', message: 'beyond the plan' } as const }];
    expect(afterCheck(runOf(stretch), { at: NOW, unchecked, eventsIn: () => 0 }, DENSE)).toEqual([
      { ...stretch, checkedAt: NOW, events: 0 },
    ]);
  });
});

describe('the run of a due stretch', () => {
  const HALF_A_PAGE = 22;
  /** Due: at an age of 60 min, 20 min are too long. */
  const due = aStretch(81 * MINUTE, 79 * MINUTE, { checkedAt: ago(19 * MINUTE), events: HALF_A_PAGE });
  const checked = (fromAge: number, toAge: number, checkedAgo: number, change: Partial<Stretch> = {}) =>
    aStretch(fromAge * MINUTE, toAge * MINUTE, { checkedAt: ago(checkedAgo * MINUTE), events: HALF_A_PAGE, ...change });
  const runsOf = (...stretches: readonly Stretch[]) => dueRuns(stretches, DENSE, NOW).map((run) => run.stretches);
  // 11 min are half of its gap of 22 min, and 17 min more than 80% of 20 min.
  const [younger, later] = [checked(79, 77, 11), checked(79, 77, 17)];

  test('has a neighbor of which half of the gap is over, if both fit a page', () => {
    expect(runsOf(due, younger)).toEqual([[due, younger]]);
    expect(runsOf(due, checked(79, 77, 10.9))).toEqual([[due]]);
    expect(runsOf(due, { ...younger, events: 23 })).toEqual([[due, { ...younger, events: 23 }]]);
    expect(runsOf(due, { ...younger, events: 24 })).toEqual([[due]]);
  });

  test('has a neighbor of more events only if most of its gap is over and the two can be merged', () => {
    const busy = { ...later, events: 500 };
    expect(runsOf(due, busy)).toEqual([[due, busy]]);
    expect(runsOf(due, { ...busy, checkedAt: ago(16 * MINUTE) })).toEqual([[due]]);
    expect(runsOf(due, { ...busy, to: ago(75 * MINUTE), checkedAt: ago(16.5 * MINUTE) })).toEqual([[due]]);
  });

  test('has older and younger neighbors, as far as they fit', () => {
    const older = checked(83, 81, 12, { events: 1 });
    expect(runsOf(older, due, younger)).toEqual([[older, due, younger]]);
    expect(runsOf(checked(85, 83, 12), older, due, { ...younger, events: 24 })).toEqual([
      [checked(85, 83, 12), older, due],
    ]);
    const oldest = checked(85, 83, 12, { events: 40 });
    expect(runsOf(oldest, older, due)).toEqual([[older, due]]);
  });

  test('ends where a stretch is missing', () => {
    const apart = checked(78.9, 77, 11);
    expect(runsOf(due, apart)).toEqual([[due]]);
  });

  test("has no neighbor that isn't two minutes old", () => {
    const [ten, fresh] = [checked(3, 1.5, 0.1), aStretch(1.5 * MINUTE, MINUTE)];
    expect(runsOf(ten, fresh)).toEqual([]);
    const first = aStretch(3 * MINUTE, 2 * MINUTE);
    expect(runsOf(first, aStretch(2 * MINUTE, MINUTE))).toEqual([[first]]);
  });

  test('is only a stretch that failed, since one of several that failed together may be the reason', () => {
    const failed = { ...due, failedChecks: 1, notBefore: NOW };
    expect(runsOf(failed, younger)).toEqual([[failed]]);
    const next = checked(79, 77, 40, { failedChecks: 1, notBefore: NOW });
    expect(runsOf(due, next)).toHaveLength(2);
  });

  test('is at most twelve hours long, and no stretch is in two', () => {
    const old = [76, 72, 68, 64].map((age) => {
      return aStretch(age * HOUR, (age - 4) * HOUR, { checkedAt: ago(30 * HOUR), events: 500 });
    });
    const runs = dueRuns(old, { ...DENSE, horizonMs: 2 * HORIZON }, NOW).map((run) => run.stretches);
    expect(runs.map(({ length }) => length).toSorted()).toEqual([1, 3]);
    expect(new Set(runs.flat())).toEqual(new Set(old));
  });

  test('reaches from the beginning of its first stretch to the end of its last', () => {
    expect(dueRuns([due, younger], DENSE, NOW)).toMatchObject([{ from: due.from, to: younger.to }]);
  });
});

describe('a check', () => {
  const stretch = aStretch(63 * MINUTE, 60 * MINUTE, { checkedAt: ago(40 * MINUTE), events: 9 });
  const part = (fromAge: number, toAge: number) => ({ from: ago(fromAge * MINUTE), to: ago(toAge * MINUTE) });
  const slow: ServiceProblem = { kind: 'timed-out', afterMs: 1 };
  const stretchesAfter = (
    stretches: readonly [Stretch, ...Stretch[]],
    unchecked: CheckedRun['unchecked'] = [],
    at = NOW,
  ) => afterCheck(runOf(...stretches), { at, unchecked, eventsIn: (one) => lengthOf(one) / MINUTE }, DENSE);

  test('that had no time for a part leaves that part due, and notes the rest, in order', () => {
    const left = part(62, 61);
    expect(stretchesAfter([stretch], [{ window: left, problem: null }])).toEqual([
      { ...stretch, ...part(63, 62), checkedAt: NOW, events: 1 },
      { ...stretch, ...left },
      { ...stretch, ...part(61, 60), checkedAt: NOW, events: 1 },
    ]);
  });

  test('that found nothing wrong begins to count failed checks again', () => {
    const failed = { ...stretch, failedChecks: 3, notBefore: NOW };
    expect(stretchesAfter([failed])).toEqual([{ ...stretch, checkedAt: NOW, events: 3 }]);
  });

  test('that fails again and again is put off for six hours at most', () => {
    const [left] = stretchesAfter([{ ...stretch, failedChecks: 50 }], [{ window: stretch, problem: slow }]);
    expect(left).toMatchObject({ failedChecks: 51, notBefore: new Date(NOW.getTime() + 6 * HOUR) });
  });

  test('puts off all that was left of a stretch if one part of it may be the reason', () => {
    const left = stretchesAfter(
      [stretch],
      [
        { window: part(63, 62), problem: null },
        { window: part(62, 61), problem: slow },
      ],
    );
    expect(left).toMatchObject([
      { ...part(63, 61), failedChecks: 1 },
      { ...part(61, 60), failedChecks: 0 },
    ]);
  });

  test('merges neighbors up to a fifteenth of their age', () => {
    const [two, three, four] = [part(64, 62), part(62, 60), part(60, 58)].map((one) => ({ ...stretch, ...one }));
    if (two === undefined || three === undefined || four === undefined) throw new Error('three stretches');
    expect(stretchesAfter([two, three, four])).toEqual([
      { ...stretch, ...part(64, 60), checkedAt: NOW, events: 4 },
      { ...four, checkedAt: NOW, events: 2 },
    ]);
  });

  test("doesn't merge neighbors that together are longer, by the age of the younger", () => {
    expect(
      stretchesAfter([
        { ...stretch, ...part(64, 62) },
        { ...stretch, ...part(62, 59.9) },
      ]),
    ).toHaveLength(2);
  });

  test('leaves a new stretch new if there was no time for it', () => {
    const [older, younger] = [aStretch(8 * MINUTE, 7.5 * MINUTE), aStretch(7.5 * MINUTE, 7 * MINUTE)];
    expect(stretchesAfter([older, younger], [{ window: younger, problem: null }])).toEqual([
      { ...older, checkedAt: NOW, events: 0.5 },
      younger,
    ]);
    expect(stretchesAfter([older, younger], [{ window: older, problem: null }])[0]).toEqual(older);
  });

  test("doesn't merge what failed with what there was no time for", () => {
    const [older, younger] = [
      { ...stretch, ...part(62, 61) },
      { ...stretch, ...part(61, 60) },
    ];
    const left = stretchesAfter(
      [older, younger],
      [
        { window: older, problem: slow },
        { window: younger, problem: null },
      ],
    );
    expect(left.map(({ failedChecks }) => failedChecks)).toEqual([1, 0]);
  });

  test("doesn't merge stretches between which something is missing, or of which one wasn't checked", () => {
    const [older, younger] = [
      { ...stretch, ...part(64, 62) },
      { ...stretch, ...part(61, 60) },
    ];
    expect(stretchesAfter([older, younger])).toHaveLength(2);
    const next = { ...stretch, ...part(62, 61) };
    expect(stretchesAfter([older, next], [{ window: next, problem: null }])).toMatchObject([{ checkedAt: NOW }, next]);
  });

  test('keeps what failed at the horizon', () => {
    const old = aStretch(HORIZON + 3 * MINUTE, HORIZON + MINUTE, { checkedAt: ago(10 * HOUR) });
    expect(stretchesAfter([old])).toEqual([]);
    expect(stretchesAfter([old], [{ window: old, problem: slow }])).toMatchObject([{ failedChecks: 1 }]);
    const unread = aStretch(HORIZON + 3 * MINUTE, HORIZON + MINUTE);
    expect(stretchesAfter([unread], [{ window: unread, problem: null }])).toEqual([unread]);
    const justYounger = aStretch(HORIZON + MINUTE, HORIZON - 1, { checkedAt: ago(10 * HOUR) });
    expect(stretchesAfter([justYounger])).toHaveLength(1);
  });
});

describe('the stretches', () => {
  test('are extended by what has reached an age of two minutes, once that is half a minute', () => {
    const known = aStretch(10 * MINUTE, 2.5 * MINUTE, { checkedAt: ago(MINUTE), events: 7 });
    const added = aStretch(2.5 * MINUTE, 2 * MINUTE);
    expect(stretchesAt([known], ago(HOUR), NOW, DENSE)).toEqual([known, added]);
    const nearer = { ...known, to: ago(2.49 * MINUTE) };
    expect(stretchesAt([nearer], ago(HOUR), NOW, DENSE)).toEqual([nearer]);
    expect(stretchesAt([], ago(MINUTE), NOW, DENSE)).toEqual([]);
  });

  test('follow the known ones, even if the coverage is said to begin later', () => {
    const known = aStretch(20 * MINUTE, 10 * MINUTE);
    expect(stretchesAt([known], ago(5 * MINUTE), NOW, DENSE)[1]?.from).toEqual(known.to);
  });

  test('are in order, however they are given', () => {
    const [old, young] = [aStretch(20 * MINUTE, 10 * MINUTE), aStretch(10 * MINUTE, 2 * MINUTE)];
    expect(stretchesAt([young, old], ago(HOUR), NOW, DENSE)).toEqual([old, young]);
  });

  test('are forgotten at twice the horizon, from where others follow', () => {
    const gone = aStretch(2 * HORIZON + HOUR, 2 * HORIZON);
    const all = stretchesAt([gone], ago(400 * HOUR), NOW, DENSE);
    expect(all).not.toContain(gone);
    expect(all[0]?.from).toEqual(ago(2 * HORIZON));
    const kept = aStretch(2 * HORIZON + HOUR, 2 * HORIZON - 1);
    expect(stretchesAt([kept], ago(400 * HOUR), NOW, DENSE)[0]).toBe(kept);
  });

  test('of a downtime are a fifteenth of their age, and a minute below 15 minutes', () => {
    const lengths = stretchesAt([], ago(HOUR), NOW, DENSE).map((one) => lengthOf(one) / MINUTE);
    expect(lengths.slice(-13)).toEqual(Array.from({ length: 13 }, () => 1));
    expect(lengths.at(-15)).toBeCloseTo(16 / 15, 5);
    expect(lengths.reduce((sum, one) => sum + one, 0)).toBeCloseTo(58, 5);
    for (const length of lengths) expect(length).toBeGreaterThanOrEqual(1);
  });

  test('have no short rest: the oldest one of a downtime is up to half as long again', () => {
    const lengths = (age: number) =>
      stretchesAt([], ago(age * MINUTE), NOW, DENSE).map((one) => lengthOf(one) / MINUTE);
    expect(lengths(4.5)).toEqual([1.5, 1]);
    expect(lengths(4.6)).toHaveLength(3);
  });

  test('begin with the coverage, or at twice the horizon', () => {
    expect(stretchesAt([], ago(HOUR), NOW, DENSE)[0]?.from).toEqual(ago(HOUR));
    expect(stretchesAt([], ago(400 * HOUR), NOW, DENSE)[0]?.from).toEqual(ago(144 * HOUR));
  });

  /** Sweeps with pauses, changes of load and crashes; a crash loses part of what a sweep has checked. */
  const step = fc.record({
    pause: fc.oneof(fc.integer({ min: 1_000, max: 5 * MINUTE }), fc.integer({ min: MINUTE, max: 90 * HOUR })),
    eventsAnHour: fc.constantFrom(0, 100, 5_000, 60_000),
    checks: fc.option(fc.nat(5)),
  });

  test('follow each other without a gap, are few, and none is ever left out', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
        let [now, known]: [number, Stretch[]] = [200 * HOUR, []];
        for (const { pause, eventsAnHour, checks } of steps) {
          now += pause;
          const time = new Date(now);
          const pace = paceOf(known, { requestsAMinute: 90, horizonMs: HORIZON, pollMs: MINUTE });
          const all = stretchesAt(known, new Date(199 * HOUR), time, pace);
          const runs = dueRuns(all, pace, time);
          const outcome = { at: time, unchecked: [], eventsIn: (part: Run) => eventsIn(part, eventsAnHour) };
          const done = new Map(runs.slice(0, checks ?? undefined).map((run) => [run.stretches[0], run]));
          const gone = new Set([...done.values()].flatMap(({ stretches }) => stretches));
          known = all.flatMap((one) => {
            const run = done.get(one);
            if (run !== undefined)
              return afterCheck(run, { ...outcome, eventsIn: (part) => eventsIn(part, eventsAnHour) }, pace);
            return gone.has(one) ? [] : [one];
          });
          // A stretch checked at the horizon may have left before something older that failed or was not reached.
          for (const [index, { from }] of known.slice(1).entries()) {
            if (now - from.getTime() < HORIZON) expect(known[index]?.to).toEqual(from);
          }
          if (known.length > 0) expect(known.at(-1)?.to.getTime()).toBeGreaterThanOrEqual(now - 2 * MINUTE - 30_000);
          expect(known.length).toBeLessThan(700);
          // A stretch leaves once it was checked at the horizon, or is twice as old.
          const oldest = known[0]?.from.getTime() ?? now;
          const left = all.filter((one) => one.to.getTime() <= oldest);
          for (const one of left) expect(now - one.to.getTime()).toBeGreaterThanOrEqual(HORIZON);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('are all checked once after a downtime, and then continue', () => {
    let { stretches } = sweepOnce([], 100 * HOUR, { eventsAnHour: 1_000 });
    ({ stretches } = sweepOnce(stretches, 110 * HOUR, { eventsAnHour: 1_000 }));
    expect(stretches.every(({ checkedAt }) => checkedAt?.getTime() === 110 * HOUR)).toBe(true);
    const again = sweepOnce(stretches, 110 * HOUR + 5_000, { eventsAnHour: 1_000 });
    expect(again.requests).toBe(0);
  });

  test('keep to their gaps at any load for which the requests suffice, with irregular polls', () => {
    const loads = fc.array(fc.constantFrom(10, 1_000, 9_000), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(loads, fc.integer({ min: 20_000, max: MINUTE }), (rates, every) => {
        let known: Stretch[] = [];
        let now = 100 * HOUR;
        for (const eventsAnHour of rates) {
          for (let poll = 0; poll < 40; poll++) {
            now += every;
            const onCheck = (run: Run) => {
              for (const { checkedAt, to } of run.stretches) {
                if (checkedAt === null || to.getTime() < 100 * HOUR) continue;
                const age = checkedAt.getTime() - to.getTime();
                expect(now - checkedAt.getTime()).toBeLessThanOrEqual(Math.max(5 * MINUTE, age / 3));
              }
            };
            known = [...sweepOnce(known, now, { eventsAnHour, onCheck }).stretches];
          }
        }
      }),
      { numRuns: 5 },
    );
  });
});

describe('at a steady load', () => {
  const minutes = (ms: number) => Math.round(ms / 6_000) / 10;

  test('of 10,000 events an hour a late failure is reported within five minutes or a third of its age, for 5% of the requests', () => {
    const played = playSteadyLoad(10_000, 3, 'at once');
    expect(minutes(played.overPromiseMs)).toBeLessThanOrEqual(0);
    expect(played.requestsAMinute).toBeLessThan(95);
    expect(played.mostStretches).toBeLessThan(400);
  });

  test('of 50,000 events an hour it is never reported later than with six fixed ages', () => {
    const played = playSteadyLoad(50_000, 3, 'at once');
    expect(played.delays.map(({ worstMs }) => minutes(worstMs) <= 8)[0]).toBe(true);
    const worst = played.delays.map(({ worstMs }) => minutes(worstMs));
    for (const [index, formerly] of [8, 50, 300, 1080, 2880].entries()) {
      expect(worst[index]).toBeLessThanOrEqual(formerly);
    }
  });
});

describe('the worst delays', () => {
  test('are the gaps of the pace while nothing is late', () => {
    expect(worstDelays([], DENSE, NOW).map(({ withinMs }) => withinMs / MINUTE)).toEqual([5, 20, 120, 480]);
    expect(worstDelays([], { ...DENSE, horizonMs: HOUR }, NOW)).toHaveLength(1);
  });

  test('grow with what is late at that age', () => {
    const late = aStretch(80 * MINUTE, 79 * MINUTE, { checkedAt: ago(39 * MINUTE) });
    expect(latenessOf(late, DENSE, NOW)).toBe(39 * MINUTE - (40 * MINUTE) / 3);
    const delays = worstDelays([late], DENSE, NOW);
    expect(delays.map(({ withinMs }) => withinMs / MINUTE)).toEqual([5, 46, 120, 480]);
  });
});

describe('the chunks of a run', () => {
  const minute = (number: number, events: number) => ({ minute: new Date(number * MINUTE), events });
  const window = { from: new Date(30_000), to: new Date(60 * MINUTE - 30_000) };

  test('have at most a thousand events, if no minute has more', () => {
    expect(chunksOf(window, [minute(0, 600), minute(7, 400), minute(8, 1), minute(59, 5_000)])).toEqual([
      { from: window.from, to: new Date(8 * MINUTE) },
      { from: new Date(8 * MINUTE), to: new Date(9 * MINUTE) },
      { from: new Date(59 * MINUTE), to: window.to },
    ]);
  });

  test('cover all of it until it was checked at an age of ten minutes, whether events are known or not', () => {
    const young = runOf(aStretch(12 * MINUTE, 5 * MINUTE, { checkedAt: ago(2 * MINUTE) }));
    const { from, to } = young;
    expect(chunksOfRun(young, [], NOW)).toEqual([{ from, to }]);
    const older = runOf(aStretch(32 * MINUTE, 25 * MINUTE, { checkedAt: ago(10 * MINUTE) }));
    expect(chunksOfRun(older, [], NOW)).toEqual([]);
  });

  test('cover only known events from an age of exactly ten minutes on', () => {
    const tenMinutes = aStretch(32 * MINUTE, 25 * MINUTE, { checkedAt: ago(15 * MINUTE) });
    expect(chunksOfRun(runOf(tenMinutes), [], NOW)).toEqual([]);
  });

  test('have a crowded minute once, among others that are empty', () => {
    const young = runOf(aStretch(12 * MINUTE, 5 * MINUTE));
    const crowded = (age: number) => chunksOfRun(young, [{ minute: ago(age * MINUTE), events: 5_000 }], NOW);
    const part = (fromAge: number, toAge: number) => ({ from: ago(fromAge * MINUTE), to: ago(toAge * MINUTE) });
    expect(crowded(8)).toEqual([part(12, 8), part(8, 7), part(7, 5)]);
    expect(crowded(6)).toEqual([part(12, 6), part(6, 5)]);
  });

  test('cover all of what was never checked, unless that is older than an hour after a downtime', () => {
    const hour = aStretch(65 * MINUTE, HOUR);
    expect(chunksOfRun(runOf(hour), [], NOW)).toEqual([{ from: hour.from, to: hour.to }]);
    expect(chunksOfRun(runOf({ ...hour, to: ago(HOUR + 1) }), [], NOW)).toEqual([]);
  });

  test('cover the known minutes of older stretches, and all of the younger ones after them', () => {
    const [older, young] = [
      aStretch(32 * MINUTE, 25 * MINUTE, { checkedAt: ago(10 * MINUTE) }),
      aStretch(25 * MINUTE, 20 * MINUTE),
    ];
    const known = [
      { minute: ago(30 * MINUTE), events: 600 },
      { minute: ago(22 * MINUTE), events: 600 },
    ];
    expect(chunksOfRun(runOf(older, young), known, NOW)).toEqual([
      { from: ago(30 * MINUTE), to: ago(22 * MINUTE) },
      { from: ago(22 * MINUTE), to: ago(20 * MINUTE) },
    ]);
  });

  test('are of minutes that the run touches', () => {
    const older = aStretch(31.5 * MINUTE, 25.5 * MINUTE, { checkedAt: ago(10 * MINUTE) });
    const at = (age: number) => chunksOfRun(runOf(older), [{ minute: ago(age * MINUTE), events: 1 }], NOW);
    expect(at(33)).toEqual([]);
    expect(at(32)).toEqual([{ from: older.from, to: ago(31 * MINUTE) }]);
    expect(at(26)).toEqual([{ from: ago(26 * MINUTE), to: older.to }]);
    expect(at(25)).toEqual([]);
    const whole = aStretch(31 * MINUTE, 26 * MINUTE, { checkedAt: ago(10 * MINUTE) });
    expect(chunksOfRun(runOf(whole), [{ minute: ago(32 * MINUTE), events: 1 }], NOW)).toEqual([]);
    expect(chunksOfRun(runOf(whole), [{ minute: ago(26 * MINUTE), events: 1 }], NOW)).toEqual([]);
  });

  test('cover every minute with events once, in order', () => {
    const counts = fc
      .uniqueArray(fc.integer({ min: 0, max: 59 }), { minLength: 1 })
      .chain((numbers) =>
        fc.tuple(
          ...numbers.sort((a, b) => a - b).map((number) => fc.nat(1_500).map((events) => minute(number, events))),
        ),
      );
    fc.assert(
      fc.property(counts, (minutes) => {
        const chunks = chunksOf({ from: new Date(0), to: new Date(60 * MINUTE) }, minutes);
        const chunksWith = (at: Date) => chunks.filter(({ from, to }) => from <= at && at < to).length;
        for (const { minute: at } of minutes) expect(chunksWith(at)).toBe(1);
        const ends = chunks.flatMap(({ from, to }) => [from, to]);
        expect(ends).toEqual([...ends].sort((a, b) => a.getTime() - b.getTime()));
      }),
    );
  });
});

test('batches have a thousand events, and every run once', () => {
  const runs = [400, 500, 300, 5_000, 1].map((events, index) =>
    runOf(aStretch((index + 1) * HOUR, index * HOUR, { events })),
  );
  expect(inBatches(runs).map((batch) => batch.length)).toEqual([2, 1, 1, 1]);
  expect(inBatches(runs).flat()).toEqual(runs);
});

test('batches are at most twelve hours long, unless a run is', () => {
  const runs = [4, 8, 5, 20, 6, 6, 1].map((hours) => runOf(aStretch(hours * HOUR, 0)));
  expect(inBatches(runs).map((batch) => batch.length)).toEqual([2, 1, 1, 2, 1]);
});

test('a batch may have exactly a thousand events', () => {
  const runs = [600, 400, 1].map((events) => runOf(aStretch(HOUR, 0, { events })));
  expect(inBatches(runs).map((batch) => batch.length)).toEqual([2, 1]);
});
