import { min } from 'date-fns';
import { describe, expect, test } from 'vitest';
import { agesUpTo } from '../coverage/pass-ages.ts';
import type { ReadTo } from '../coverage/tables.ts';
import type { TimeRange } from '../lib/time/durations.ts';
import { agesWithSteps, behindMs, currentReadTo, nextPass, readByYounger } from './passes.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const HORIZON = 72 * HOUR;
const NOW = new Date('2026-05-04T12:00:30.000Z');
const LONG_AGO = new Date('2026-01-01T00:00:00.000Z');
const covered = (coveredFrom: Date) => ({ coveredFrom });
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * MINUTE);
const AGES = agesUpTo(HORIZON);

/** Reads what is due in each minute of a time, without delay. */
function* readings(since: Date, from: Date, to: Date, first: ReadTo = new Map()): Generator<TimeRange & { now: Date }> {
  for (let known = first, now = from; now <= to; now = new Date(now.getTime() + MINUTE)) {
    known = currentReadTo(known, AGES, covered(since), now);
    for (let pass = nextPass(known, now); pass !== undefined; pass = nextPass(known, now)) {
      yield { now, ...pass.range };
      known = currentReadTo(new Map(known).set(pass.age, pass.range.to), AGES, covered(since), now);
    }
  }
}

describe('the ages at which the list is read again', () => {
  test('grow to the horizon, so that none is more than a third above the one before', () => {
    expect(AGES.slice(0, 8)).toEqual([1, 2, 4, 7, 10, 13, 16, 19]);
    expect(AGES.at(-1)).toBe(72 * 60);
    for (const [index, age] of AGES.entries())
      expect(age - (AGES[index - 1] ?? 0)).toBeLessThanOrEqual(Math.max(3, age / 3));
  });

  test('end with the horizon, however short it is', () => {
    expect(agesUpTo(HOUR)).toEqual([1, 2, 4, 7, 10, 13, 16, 19, 23, 27, 33, 39, 47, 56, 60]);
    expect(agesUpTo(5 * MINUTE)).toEqual([1, 2, 4, 5]);
  });
});

test('a list without steps is asked for them so that a late failure waits for five minutes or two thirds of its event’s age', () => {
  const ages = agesWithSteps(AGES);
  expect(ages.slice(0, 7)).toEqual([1, 2, 4, 7, 10, 13, 19]);
  expect(ages.at(-1)).toBe(72 * 60);
  const waits = ages.slice(1).map((age, index) => [ages[index] ?? 0, 1.05 * age - (ages[index] ?? 0)] as const);
  for (const [age, wait] of waits) expect(wait).toBeLessThanOrEqual(Math.max(5, (2 / 3) * age));
});

test('the list is read again fifteen times a minute at most where nothing happens', () => {
  const inLastHour = [...readings(LONG_AGO, ago(10 * 60), NOW)].filter(({ now }) => now >= ago(60));
  expect(inLastHour.length / 60).toBeLessThanOrEqual(15);
});

test('a late failure is found within five minutes or a third of its event’s age', () => {
  const since = ago(12 * 60);
  const created = ago(11 * 60);
  const read = [...readings(since, since, NOW)].filter(({ from, to }) => from <= created && created < to);
  const times = read.map(({ now }) => now.getTime());
  expect(times.length).toBeGreaterThan(20);
  let before = created.getTime() + MINUTE;
  for (const at of times) {
    expect(at - before).toBeLessThanOrEqual(Math.max(5 * MINUTE, (before - created.getTime()) / 3) + MINUTE);
    before = at;
  }
});

test('passes begin as at the first start, however late, and read nothing created more than an hour before it', () => {
  const since = new Date('2026-05-04T10:00:00.000Z');
  expect(currentReadTo(new Map(), AGES, covered(since), NOW).get(23)).toEqual(new Date('2026-05-04T10:37:00.000Z'));
  expect(min([...readings(since, since, NOW)].map(({ from }) => from))).toEqual(since);
});

test('a pass that is behind jumps to the next older one, but the last reads on, to twice the horizon', () => {
  const known = new Map(AGES.map((age) => [age, ago(200 * 60)]));
  const current = currentReadTo(known, AGES, covered(LONG_AGO), NOW);
  expect(current.get(4320)).toEqual(new Date('2026-04-28T12:00:00.000Z'));
  known.set(13, new Date(ago(20).getTime()));
  expect(currentReadTo(known, AGES, covered(LONG_AGO), NOW).get(10)).toEqual(ago(20));
});

test('when the ages change, new ages begin at their age and the last goes on where it was', () => {
  const known = new Map([1, 2, 4, 7, 13, 23, 39, 68, 116, 4_320].map((age) => [age, ago(age + 5)]));
  const current = currentReadTo(known, AGES, covered(LONG_AGO), NOW);
  expect([...current.keys()].toReversed()).toEqual(AGES);
  expect(current.get(4320)).toEqual(ago(4325));
  expect(current.get(56)).toEqual(new Date('2026-05-04T11:04:00.000Z'));
});

test('a pass reads an hour at most at once, so that none waits long for another', () => {
  expect(nextPass(new Map([[4320, ago(5000)]]), NOW)?.range).toEqual({ from: ago(5000), to: ago(4940) });
});

test('the pass that is latest for its age is read first, but older ones that overlap with it, and the last before it would jump', () => {
  const readTo = new Map([
    [20, ago(30)],
    [100, ago(130)],
    [10, ago(20)],
    [1000, ago(1001)],
  ]);
  expect(nextPass(readTo, NOW)?.age).toBe(10);
  expect(nextPass(new Map(readTo).set(10, ago(30)), NOW)?.age).toBe(20);
  expect(nextPass(new Map(readTo).set(1000, ago(1800)), NOW)?.age).toBe(1000);
  expect(behindMs(readTo, NOW, MINUTE)).toBe(20 * MINUTE);
  const behindBy = (pollMs: number) => behindMs(new Map([[1, ago(16)]]), NOW, pollMs) / MINUTE;
  expect([1_000, MINUTE, 3 * MINUTE].map(behindBy)).toEqual([13, 13, 9]);
});

test('after a stop, what many passes are behind with is read once', () => {
  const read = [...readings(LONG_AGO, NOW, NOW, new Map(AGES.map((age) => [age, ago(age + 50)])))];
  expect(read.filter(({ from, to }) => from <= ago(20) && ago(20) < to)).toHaveLength(1);
});

test('a pass reads again what a younger one has read, by an unknown clock one of half its age or fourteen hours', () => {
  const readTo = new Map(AGES.toReversed().map((age) => [age, ago(age)]));
  expect([1, 16, 4320].map((age) => readByYounger(readTo, age, 0))).toEqual([ago(1), ago(1), ago(1)]);
  expect([1, 16, 4320].map((age) => readByYounger(readTo, age, null))).toEqual([new Date(0), ago(7), ago(718)]);
});
