import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ServiceProblem } from '../errors.ts';
import { at } from '../service/event.testing.ts';
import { gapAfter, latenessOf, type Pace, paceOf, type Stretch, worstDelays } from './recheck-pace.ts';
import { eventsIn, HORIZON, HOUR, playSteadyLoad, sweepOnce } from './sweeps.testing.ts';
import { afterCheck, chunksOf, chunksOfRun, dueRuns, inBatches, type Run, stretchesAt } from './sweeps.ts';

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

describe('the stretches', () => {
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
