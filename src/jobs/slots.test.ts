import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Slots, startSlots } from './slots.ts';

const MINUTE = 60_000;

describe('slots', () => {
  let slots: Slots;
  let asked: number[];
  const start = (everyMs: number, answer: (now: number) => boolean): void => {
    asked = [];
    slots = startSlots(everyMs, async () => {
      asked.push(Date.now());
      return answer(Date.now());
    });
  };
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-11-20T12:00:20.000Z') });
  });
  afterEach(() => {
    slots.stop();
    vi.useRealTimers();
  });
  const secondsAfterNoon = () => asked.map((at) => Math.floor((at - Date.parse('2026-11-20T12:00:00.000Z')) / 1_000));

  it('are taken once each, just after they begin', async () => {
    start(MINUTE, () => true);
    await vi.advanceTimersByTimeAsync(3 * MINUTE);
    expect(secondsAfterNoon()).toEqual([60, 120, 180]);
  });

  it('are tried three times more where another replica took them or the database is behind', async () => {
    start(MINUTE, () => false);
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect(secondsAfterNoon()).toEqual([60, 61, 62, 63, 120, 121, 122, 123]);
  });

  it.each([-7_000, -2_000, 0, 2_000, 7_000])('are all taken when the database is %i ms ahead', async (aheadMs) => {
    const taken = new Set<number>();
    start(5_000, (now) => {
      const slot = Math.floor((now + aheadMs) / 5_000);
      const isFree = !taken.has(slot);
      taken.add(slot);
      return isFree;
    });
    await vi.advanceTimersByTimeAsync(MINUTE + 100);
    expect(taken.size).toBeGreaterThanOrEqual(12);
  });

  it('of a second are taken without a pause', async () => {
    start(1_000, () => true);
    await vi.advanceTimersByTimeAsync(5_100);
    expect(asked).toHaveLength(5);
  });

  it('end with stop', async () => {
    start(MINUTE, () => true);
    slots.stop();
    await vi.advanceTimersByTimeAsync(3 * MINUTE);
    expect(asked).toEqual([]);
  });
});
