import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { inTurn, offsetOf, type Slots, startSlots } from './slots.ts';

const MINUTE = 60_000;
const NOON = Date.parse('2026-11-20T12:00:00.000Z');

describe('slots', () => {
  let slots: Slots;
  let taken: { slot: number; atSecond: number }[];
  const start = (options: { everyMs: number; offsetMs: number; delayMs?: number }): void => {
    taken = [];
    slots = startSlots({
      ...options,
      take: (slot) => taken.push({ slot, atSecond: Math.floor((Date.now() - NOON) / 1_000) }),
    });
  };
  beforeEach(() => {
    vi.useFakeTimers({ now: NOON + 20_000 });
  });
  afterEach(() => {
    slots.stop();
    vi.useRealTimers();
  });
  const seconds = () => taken.map(({ atSecond }) => atSecond);
  const numbers = () => taken.map(({ slot }) => slot);

  test('are taken once each, just after they begin', async () => {
    start({ everyMs: MINUTE, offsetMs: 0 });
    await vi.advanceTimersByTimeAsync(3 * MINUTE);
    expect(seconds()).toEqual([60, 120, 180]);
  });

  test('begin at their offset in the interval', async () => {
    start({ everyMs: MINUTE, offsetMs: 45_000 });
    await vi.advanceTimersByTimeAsync(3 * MINUTE);
    expect(seconds()).toEqual([45, 105, 165]);
  });

  test('have the same numbers for replicas with different delays', async () => {
    const found: number[][] = [];
    for (const delayMs of [0, 3_000]) {
      vi.setSystemTime(NOON + 20_000);
      start({ everyMs: MINUTE, offsetMs: 58_000, delayMs });
      await vi.advanceTimersByTimeAsync(3 * MINUTE);
      expect(seconds()).toEqual([58, 118, 178].map((second) => second + delayMs / 1_000));
      found.push(numbers());
      slots.stop();
    }
    expect(found[0]).toEqual(found[1]);
    expect(new Set(found[0]).size).toBe(3);
  });

  test('of a second are taken without a pause', async () => {
    start({ everyMs: 1_000, offsetMs: 0 });
    await vi.advanceTimersByTimeAsync(5_100);
    expect(numbers()).toHaveLength(5);
  });

  test('end with stop', async () => {
    start({ everyMs: MINUTE, offsetMs: 0 });
    slots.stop();
    await vi.advanceTimersByTimeAsync(3 * MINUTE);
    expect(taken).toEqual([]);
  });
});

describe('the place of a name', () => {
  test('is constant and within the time', () => {
    expect(offsetOf('poll-production', MINUTE)).toBe(offsetOf('poll-production', MINUTE));
    expect(offsetOf('poll-production', 0.5)).toBe(0);
  });

  test('spreads many names evenly', () => {
    const tenths = Array.from({ length: 1_000 }, (_, index) => Math.floor(offsetOf(`poll-${index}`, MINUTE) / 6_000));
    const counts = Array.from({ length: 10 }, (_, tenth) => tenths.filter((each) => each === tenth).length);
    expect(Math.min(...counts)).toBeGreaterThan(60);
    expect(Math.max(...counts)).toBeLessThan(140);
  });
});

describe('first runs', () => {
  test('begin one after the other, until they are stopped', async () => {
    vi.useFakeTimers();
    const begun: number[] = [];
    const { stop } = inTurn([1, 2, 3, 4], (item) => begun.push(item));
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual([1]);
    await vi.advanceTimersByTimeAsync(45);
    expect(begun).toEqual([1, 2, 3]);
    stop();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(begun).toEqual([1, 2, 3]);
    vi.useRealTimers();
  });
});
