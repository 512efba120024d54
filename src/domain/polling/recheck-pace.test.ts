import { describe, expect, test } from 'vitest';
import {
  dueTimeOf,
  gapAfter,
  latenessOf,
  longestStretchAt,
  type Pace,
  paceOf,
  requestsNeeded,
  type Stretch,
  urgencyOf,
  worstDelays,
} from './recheck-pace.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOON = new Date('2026-05-04T12:00:00.000Z');
const at = (ms: number) => new Date(NOON.getTime() + ms);

const PACE: Pace = { share: 0.33, horizonMs: 72 * HOUR, pollMs: 30_000 };
/** A poll, and ten seconds for a short sweep. */
const SLACK = 40_000;

/** A stretch of a minute up to noon. */
function stretch(change: Partial<Stretch> = {}): Stretch {
  return { from: at(-MINUTE), to: NOON, checkedAt: null, events: 50, failedChecks: 0, notBefore: null, ...change };
}

describe('the gap between two checks', () => {
  test('is a share of the age, and no shorter below a quarter of an hour', () => {
    expect(gapAfter(HOUR, { ...PACE, share: 0.1 })).toBe(6 * MINUTE);
    expect(gapAfter(2 * MINUTE, { ...PACE, share: 0.1 })).toBe(1.5 * MINUTE);
    expect(gapAfter(15 * MINUTE, { ...PACE, share: 0.1 })).toBe(1.5 * MINUTE);
  });

  test.each([
    [2 * MINUTE, 8 * MINUTE],
    [10 * MINUTE, 50 * MINUTE],
    [HOUR, 5 * HOUR],
    [6 * HOUR, 18 * HOUR],
    [24 * HOUR, 48 * HOUR],
  ])('is never longer than between the six coarsest ages, whatever the load: after %i ms %i ms', (age, gap) => {
    expect(gapAfter(age, { ...PACE, share: 100 })).toBe(gap);
  });

  test('ends at a horizon that is shorter than those ages', () => {
    expect(gapAfter(2 * HOUR, { ...PACE, share: 100, horizonMs: 5 * HOUR })).toBe(4 * HOUR);
    expect(gapAfter(2 * HOUR, { ...PACE, share: 100, horizonMs: 6 * HOUR })).toBe(5 * HOUR);
  });
});

describe('a stretch is due', () => {
  test('for the first time when its youngest event is two minutes old', () => {
    const { dueAt, lateAt } = dueTimeOf(stretch(), PACE);
    expect(new Date(dueAt)).toEqual(at(2 * MINUTE));
    expect(new Date(lateAt)).toEqual(at(2 * MINUTE + SLACK));
  });

  test('a poll before its gap ends, but not before half of it', () => {
    const long = dueTimeOf(stretch({ checkedAt: at(HOUR) }), PACE);
    const gap = gapAfter(HOUR, PACE);
    expect(new Date(long.dueAt)).toEqual(at(HOUR + gap - SLACK));
    expect(new Date(long.lateAt)).toEqual(at(HOUR + gap));
    const short = dueTimeOf(stretch({ checkedAt: at(2 * MINUTE) }), { ...PACE, share: 0.05 });
    expect(new Date(short.dueAt)).toEqual(at(2 * MINUTE + 22_500));
    expect(new Date(short.lateAt)).toEqual(at(2 * MINUTE + 45_000));
  });

  test('late only a poll after its last check, however short its gap is', () => {
    const { lateAt } = dueTimeOf(stretch({ checkedAt: at(2 * MINUTE) }), { ...PACE, share: 0.04 });
    expect(new Date(lateAt)).toEqual(at(2 * MINUTE + SLACK));
  });

  test('for the last time as soon as its youngest event has reached the horizon', () => {
    const { dueAt, lateAt } = dueTimeOf(stretch({ checkedAt: at(60 * HOUR) }), PACE);
    expect(new Date(dueAt)).toEqual(at(72 * HOUR));
    expect(new Date(lateAt)).toEqual(at(72 * HOUR + SLACK));
  });
});

describe('a stretch is the more urgent', () => {
  const urgency = (checkedAgo: number, age: number) =>
    urgencyOf(stretch({ checkedAt: at(age - checkedAgo) }), PACE, at(age));

  test('the longer it has been due, as a share of its age', () => {
    const [dueSince, now] = [dueTimeOf(stretch({ checkedAt: at(HOUR) }), PACE).dueAt, at(2 * HOUR)];
    expect(urgency(HOUR, 2 * HOUR)).toBeCloseTo((now.getTime() - dueSince) / (2 * HOUR), 5);
    expect(urgency(MINUTE, 2 * HOUR)).toBeLessThan(0);
  });

  test('whatever its age below a quarter of an hour', () => {
    const at12 = urgencyOf(stretch({ checkedAt: at(2 * MINUTE) }), PACE, at(12 * MINUTE));
    const at13 = urgencyOf(stretch({ checkedAt: at(3 * MINUTE) }), PACE, at(13 * MINUTE));
    expect(at12).toBeGreaterThan(0);
    expect(at12).toBe(at13);
  });
});

test('a stretch is at most a fifteenth of its age long, but a minute below 15 minutes, and no shorter than polls are apart', () => {
  expect(longestStretchAt(HOUR, PACE)).toBe(4 * MINUTE);
  expect(longestStretchAt(2 * MINUTE, PACE)).toBe(MINUTE);
  expect(longestStretchAt(2 * MINUTE, { ...PACE, pollMs: 5 * MINUTE })).toBe(5 * MINUTE);
});

describe('the pace', () => {
  const limits = { horizonMs: 72 * HOUR, pollMs: 30_000, requestsAMinute: 10 };
  const aged = (age: number, events: number) => stretch({ checkedAt: at(age), events });

  test('is the densest possible with the allowed requests, up to a twentieth', () => {
    expect(paceOf([], limits).share).toBe(0.05);
    expect(paceOf([aged(HOUR, 0)], limits).share).toBe(0.05);
    const loaded = paceOf([aged(HOUR, 50_000)], limits);
    expect(loaded.share).toBeCloseTo((1.07 * 1_000.5) / 60 / 10, 5);
  });

  test('uses about the requests that it was made for', () => {
    const stretches = [HOUR, 2 * HOUR, 12 * HOUR].map((age) => aged(age, 20_000));
    const needed = requestsNeeded(stretches, paceOf(stretches, limits));
    expect(needed).toBeGreaterThan(8);
    expect(needed).toBeLessThan(10);
  });

  test('checks nothing more often than Notif polls', () => {
    expect(requestsNeeded([aged(HOUR, 50)], { ...PACE, share: 0.001 })).toBeCloseTo(1.5 / 0.5, 5);
  });

  test('has only those requests that the first checks of young stretches leave', () => {
    const young = paceOf([aged(MINUTE, 1_000)], limits);
    expect(young.share).toBeCloseTo((1.07 * 20.5) / 15 / (10 - 20.5 / 15), 5);
    const older = paceOf([aged(15 * MINUTE, 1_000)], limits);
    expect(older.share).toBeCloseTo((1.07 * 20.5) / 15 / 10, 5);
  });

  test('counts a stretch that was never checked as new', () => {
    expect(paceOf([stretch({ events: 1_000 })], limits)).toEqual(paceOf([aged(0, 1_000)], limits));
    expect(paceOf([aged(-HOUR, 1_000)], limits)).toEqual(paceOf([aged(0, 1_000)], limits));
  });

  test('needs no requests for stretches without events', () => {
    expect(requestsNeeded([aged(HOUR, 0)], PACE)).toBe(0);
  });

  test('leaves a tenth for older stretches if young ones use everything', () => {
    const young = paceOf([aged(MINUTE, 1_000_000)], limits);
    expect(young.share).toBeCloseTo((1.07 * 20_000.5) / 15, 5);
  });
});

describe('the reported worst delay', () => {
  test('is the gap of each age in whole minutes', () => {
    expect(worstDelays([], PACE, NOON)).toEqual([
      { ageMs: 10 * MINUTE, withinMs: 5 * MINUTE },
      { ageMs: HOUR, withinMs: 20 * MINUTE },
      { ageMs: 6 * HOUR, withinMs: 119 * MINUTE },
      { ageMs: 24 * HOUR, withinMs: 476 * MINUTE },
    ]);
    expect(worstDelays([], { ...PACE, horizonMs: 6 * HOUR }, NOON).map(({ ageMs }) => ageMs)).toEqual([
      10 * MINUTE,
      HOUR,
    ]);
  });

  test('is never shorter than a poll and a short sweep', () => {
    expect(worstDelays([], { ...PACE, pollMs: 30 * MINUTE }, NOON).map(({ withinMs }) => withinMs / MINUTE)).toEqual([
      31, 31, 119, 476,
    ]);
  });

  test.for([
    [0.49, false],
    [0.5, true],
    [1, true],
    [2, true],
    [2.01, false],
  ] as const)('counts a stretch from half to twice the age: %d times it, %s', ([times, counts]) => {
    const now = at(6 * HOUR * times);
    const late = stretch({ checkedAt: at(MINUTE) });
    const [, , six] = worstDelays([late], PACE, now);
    expect((six?.withinMs ?? 0) > 119 * MINUTE).toBe(counts);
  });

  test('grows with the delay of stretches of about that age, and only of those', () => {
    const now = at(2 * HOUR);
    const gap = gapAfter(HOUR, PACE);
    const late = stretch({ checkedAt: new Date(now.getTime() - HOUR) });
    expect(latenessOf(late, PACE, now)).toBe(HOUR - gap);
    const [, hour, six] = worstDelays([late], PACE, now);
    expect(hour?.withinMs).toBe(HOUR);
    expect(six?.withinMs).toBe(119 * MINUTE);
    const justOlder = worstDelays([late], PACE, new Date(now.getTime() + 1));
    expect(justOlder[1]?.withinMs).toBe(20 * MINUTE);
  });

  test('adds the delay of a stretch once, however young the stretch was when it was last checked', () => {
    const now = at(24 * HOUR);
    const abandoned = stretch({ checkedAt: at(10 * MINUTE) });
    const [, , , day] = worstDelays([abandoned], PACE, now);
    const planned = gapAfter(24 * HOUR, PACE);
    expect(day?.withinMs).toBe(Math.ceil((planned + latenessOf(abandoned, PACE, now)) / MINUTE) * MINUTE);
    expect(day?.withinMs).toBeLessThan(2 * 24 * HOUR);
  });
});
