import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { at, NOON } from '../domain/service/event.testing.ts';
import { createDueTimer, waitUntilDue } from './due-timer.ts';

const EVERY_MS = 30_000;

describe('the wait until something is due', () => {
  test.each([
    ['lasts until just after it is due', at(2), null, 2_050],
    ['is over for what is overdue', at(-5), at(-5), 0],
    ['leaves a second after the last run', NOON, at(-0.4), 600],
    ['is bounded where the clock was set back since the last run', NOON, at(900), 1_000],
  ])('%s', (_, dueAt, ranAt, waitMs) => {
    expect(waitUntilDue(dueAt, ranAt, NOON)).toBe(waitMs);
  });
});

describe('the due timer', () => {
  beforeEach(() => void vi.useFakeTimers({ now: NOON }));
  afterEach(() => void vi.useRealTimers());

  function timerFor(dueAt: () => Date | null) {
    const stopping = new AbortController();
    const woken: number[] = [];
    const timer = createDueTimer({
      nextDueAt: async () => dueAt(),
      wake: async () => void woken.push(Date.now() - NOON.getTime()),
      everyMs: EVERY_MS,
      now: () => new Date(),
      signal: stopping.signal,
    });
    return { timer, woken, stop: () => stopping.abort() };
  }

  test('wakes the job once, when the next thing is due', async () => {
    const { timer, woken } = timerFor(() => at(2));
    await timer.setAfterRun();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(woken).toEqual([2_050]);
  });

  test('uses the latest due time', async () => {
    let dueAt: Date | null = at(5);
    const { timer, woken } = timerFor(() => dueAt);
    await timer.setAfterRun();
    dueAt = at(3);
    await timer.set();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(woken).toEqual([3_050]);
  });

  test('leaves a second between runs while something is due that no run can handle', async () => {
    const { timer, woken } = timerFor(() => new Date());
    for (let run = 0; run < 3; run += 1) {
      await timer.setAfterRun();
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(woken).toEqual([1_000, 2_000, 3_000]);
  });

  test.each([
    ['what is due waits for the next slot', at(30)],
    ['nothing is due', null],
  ])("doesn't wake the job where %s", async (_, dueAt) => {
    const { timer, woken } = timerFor(() => dueAt);
    await timer.setAfterRun();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(woken).toEqual([]);
  });

  test("doesn't wake the job once Notif stops, whether set before or after", async () => {
    const { timer, woken, stop } = timerFor(() => at(2));
    await timer.setAfterRun();
    stop();
    await timer.set();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(woken).toEqual([]);
  });
});
