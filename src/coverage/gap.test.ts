import { describe, expect, test } from 'vitest';
import { at } from '../service/event.testing.ts';
import type { ServiceProblem } from '../service/service-error.ts';
import { causeOfGap, type Gap, isWorthReporting, missingIn, nextWindow, replacedIn, windowsLeft } from './gap.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const NOW = at(0);
const refused: ServiceProblem = { kind: 'key-refused', status: 401 };
const window = (from: number, to: number) => ({ from: at(from), to: at(to) });

describe('a gap', () => {
  const gap: Gap = {
    id: 'gap-1',
    environment: 'production',
    beginsAt: at(-40),
    endsAt: at(-20),
    cause: 'unreachable',
    openedAt: NOW,
    closedAt: null,
    toRead: [],
    givenUp: [],
    events: 0,
    failures: 0,
  };

  test('is worth reporting if it is long, lasts long, or leaves something unchecked', () => {
    expect(isWorthReporting(gap, NOW)).toBe(false);
    expect(isWorthReporting({ ...gap, beginsAt: at(-10 * MINUTE) }, NOW)).toBe(true);
    expect(isWorthReporting({ ...gap, endsAt: null }, at(20))).toBe(true);
    expect(isWorthReporting({ ...gap, givenUp: [window(-30, -29)] }, NOW)).toBe(true);
    expect(isWorthReporting(gap, at(59))).toBe(false);
    expect(isWorthReporting(gap, at(60))).toBe(true);
    expect(isWorthReporting({ ...gap, closedAt: at(20) }, at(HOUR))).toBe(false);
  });

  test('has unchecked what is still to be checked and what was given up, or everything while it continues', () => {
    const [left, lost] = [window(-38, -36), window(-30, -28)];
    expect(missingIn({ ...gap, toRead: [left], givenUp: [lost] }, NOW)).toEqual([left, lost]);
    expect(missingIn({ ...gap, endsAt: null, toRead: [left] }, NOW)).toEqual([{ from: gap.beginsAt, to: NOW }]);
  });

  test('has the cause of the failed polls, unless there were none for a while', () => {
    expect(causeOfGap({ lastPollAt: at(-MINUTE), problem: refused }, NOW, 60_000)).toBe('key-refused');
    expect(causeOfGap({ lastPollAt: at(-HOUR), problem: refused }, NOW, 60_000)).toBe('not-running');
    for (const lastPollAt of [at(-HOUR), at(-MINUTE), null])
      expect(causeOfGap({ lastPollAt, problem: null }, NOW, 60_000)).toBe('not-running');
    expect(causeOfGap({ lastPollAt: at(-HOUR), problem: refused }, NOW, HOUR * 1000)).toBe('key-refused');
  });
});

describe('the parts of a gap', () => {
  const HORIZON = new Date(NOW.getTime() - 2 * HOUR * 1000);

  test('are read a quarter of an hour at a time, the newest first', () => {
    expect(nextWindow(window(-25 * MINUTE, 0), HORIZON)).toEqual({ ...window(-15 * MINUTE, 0), isLost: false });
    expect(nextWindow(window(-25 * MINUTE, -15 * MINUTE), HORIZON)).toMatchObject(window(-25 * MINUTE, -15 * MINUTE));
    expect(nextWindow(window(-9, -9), HORIZON)).toEqual({ ...window(-9, -9), isLost: false });
  });

  test('are given up beyond the horizon', () => {
    const lost = (from: number, to: number) => ({ ...window(from, to), isLost: true });
    expect(nextWindow(window(-3 * HOUR, 0), HORIZON)).toEqual(lost(-3 * HOUR, -2 * HOUR));
    expect(nextWindow(window(-4 * HOUR, -3 * HOUR), HORIZON)).toEqual(lost(-4 * HOUR, -3 * HOUR));
    expect(nextWindow(window(-2 * HOUR, -2 * HOUR), HORIZON)).toEqual(lost(-2 * HOUR, -2 * HOUR));
    expect(nextWindow(window(-2 * HOUR, -2 * HOUR + 60), HORIZON)).toMatchObject({ isLost: false });
  });

  test('lose what was read of them, and keep what a poll has added meanwhile', () => {
    const part = (from: number, to: number, tries = 0) => ({ ...window(from, to), tries, nextTryAt: NOW });
    const windows = [part(5, 5), part(0, 30), part(15, 15), part(40, 40), part(50, 60)];
    expect(replacedIn(windows, window(10, 20), [part(12, 12, 1)])).toEqual([
      ...[part(5, 5), part(0, 10), part(20, 30), part(40, 40), part(50, 60), part(12, 12, 1)],
    ]);
    expect(replacedIn(windows, window(0, 60), [])).toEqual([]);
  });

  test('are retried less and less often', () => {
    const nextTry = (tries: number) => windowsLeft([{ ...window(0, 1), cause: 'gateway' }], tries, NOW)[0]?.nextTryAt;
    expect([0, 1, 2, 3].map(nextTry)).toEqual([at(60), at(120), at(240), at(480)]);
    expect(nextTry(1000)).toEqual(at(6 * HOUR));
  });

  test("are never retried if the plan's retention ends", () => {
    const causes = ['beyond-plan', 'gateway', 'gateway'] as const;
    const unread = causes.map((cause, from) => ({ ...window(from, from + 1), cause }));
    expect(windowsLeft(unread, 0, NOW)).toEqual([
      { ...window(0, 1), tries: 1, nextTryAt: null },
      { ...window(1, 3), tries: 1, nextTryAt: at(60) },
    ]);
  });
});
