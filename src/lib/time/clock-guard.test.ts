import { expect, test } from 'vitest';
import { createClockGuard } from './clock-guard.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts';

const NOON = Date.parse('2026-05-04T12:00:00Z');

function guarded() {
  let [wall, elapsed] = [NOON, 0];
  const guard = createClockGuard({ now: () => new Date(wall), elapsedMs: () => elapsed });
  const wait = (ms: number) => {
    wall += ms;
    elapsed += ms;
  };
  const step = (ms: number) => {
    wall += ms;
  };
  return { guard, wait, step, now: () => new Date(wall) };
}

test('A clock that ran an hour without a step is believed, whatever others say', () => {
  const { guard, wait, now } = guarded();
  wait(HOUR_MS - 1);
  expect(guard.isSure()).toBe(false);
  wait(1);
  expect(guard.isSure([new Date(now().getTime() - 3 * HOUR_MS)])).toBe(true);
});

test("A clock that is wrong for one look isn't believed then, nor for an hour after", () => {
  const { guard, wait, step } = guarded();
  wait(2 * HOUR_MS);
  expect(guard.isSure()).toBe(true);
  step(400 * DAY_MS);
  expect(guard.isSure([new Date(NOON)])).toBe(false);
  step(-400 * DAY_MS);
  wait(MINUTE_MS);
  expect(guard.isSure()).toBe(false);
  wait(HOUR_MS);
  expect(guard.isSure()).toBe(true);
});

test('A clock with which another one agrees is believed at once', () => {
  const { guard, step, now } = guarded();
  expect(guard.isSure([now()])).toBe(true);
  step(DAY_MS);
  expect(guard.isSure([now()])).toBe(true);
});
