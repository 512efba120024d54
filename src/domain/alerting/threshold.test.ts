import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Threshold } from '../watches/watch.ts';
import { isReached } from './threshold.ts';

const MINUTE = 60_000;

function byMinute(counts: Record<number, number>): Map<number, number> {
  return new Map(Object.entries(counts).map(([minute, count]) => [Number(minute) * MINUTE, count]));
}

const NONE = new Map<number, number>();
const threshold = (failures: number, minutes: number, rate: number | null = null): Threshold => ({
  failures,
  withinMs: minutes * MINUTE,
  rate,
});

describe('a threshold', () => {
  test('is reached by that many failures in one minute', () => {
    expect(isReached(threshold(5, 10), { failures: byMinute({ 3: 5 }), events: NONE })).toBe(true);
    expect(isReached(threshold(5, 10), { failures: byMinute({ 3: 4 }), events: NONE })).toBe(false);
  });

  test('is reached by failures that come together within its time', () => {
    expect(isReached(threshold(5, 10), { failures: byMinute({ 0: 2, 9: 3 }), events: NONE })).toBe(true);
    expect(isReached(threshold(5, 10), { failures: byMinute({ 0: 2, 10: 3 }), events: NONE })).toBe(false);
  });

  test('accepts minutes in any order', () => {
    const failures = new Map([...byMinute({ 0: 2, 9: 3 })].reverse());
    expect(isReached(threshold(5, 10), { failures, events: NONE })).toBe(true);
    const apart = new Map([...byMinute({ 0: 2, 10: 3, 30: 1 })].reverse());
    expect(isReached(threshold(5, 10), { failures: apart, events: NONE })).toBe(false);
  });

  test('counts whole minutes, at least one', () => {
    const together = { failures: byMinute({ 0: 2, 1: 3 }), events: NONE };
    expect(isReached({ failures: 5, withinMs: 90_000, rate: null }, together)).toBe(true);
    expect(isReached({ failures: 3, withinMs: 1, rate: null }, together)).toBe(true);
    expect(isReached({ failures: 5, withinMs: MINUTE, rate: null }, together)).toBe(false);
  });

  test("applies the rate to the workflow's events of the same minutes", () => {
    const failures = byMinute({ 5: 5 });
    expect(isReached(threshold(5, 10, 0.05), { failures, events: byMinute({ 5: 100 }) })).toBe(true);
    expect(isReached(threshold(5, 10, 0.05), { failures, events: byMinute({ 5: 101 }) })).toBe(false);
    expect(isReached(threshold(5, 10, 0.05), { failures, events: byMinute({ 5: 1, 6: 900 }) })).toBe(true);
    expect(isReached(threshold(5, 2, 0.05), { failures, events: byMinute({ 3: 900, 5: 1 }) })).toBe(true);
    expect(isReached(threshold(5, 2, 0.05), { failures, events: byMinute({ 3: 900 }) })).toBe(true);
  });

  test('applies the rate to the events of the minutes in which the failed ones were created, if those are more', () => {
    const bounces = (failures: number, events: Record<number, number>) => ({
      failures: byMinute({ 60: failures }),
      events: byMinute(events),
      created: new Map([[60 * MINUTE, [0, MINUTE]]]),
    });
    expect(isReached(threshold(1, 10, 0.5), bounces(1, { 0: 900, 1: 100 }))).toBe(false);
    expect(isReached(threshold(1, 10, 0.5), bounces(1, { 0: 900, 1: 100, 60: 1 }))).toBe(false);
    expect(isReached(threshold(1, 10, 0.5), bounces(500, { 0: 900, 1: 100, 60: 1 }))).toBe(true);
    expect(isReached(threshold(1, 10, 0.5), bounces(50, { 0: 9, 1: 1, 60: 100 }))).toBe(true);
    expect(isReached(threshold(1, 10, 0.5), bounces(49, { 0: 9, 1: 1, 60: 100 }))).toBe(false);
    const other = { ...bounces(1, { 0: 900, 60: 1 }), created: new Map([[49 * MINUTE, [0]]]) };
    expect(isReached(threshold(1, 10, 0.5), other)).toBe(true);
  });

  test('leaves out events whose failures came only after its time', () => {
    const failures = byMinute({ 60: 5, 61: 1 });
    const events = byMinute({ 0: 10, 1: 900 });
    const created = new Map([
      [60 * MINUTE, [0]],
      [61 * MINUTE, [MINUTE]],
    ]);
    expect(isReached(threshold(5, 1, 0.5), { failures, events, created })).toBe(true);
    expect(isReached(threshold(6, 2, 0.5), { failures, events, created })).toBe(false);
  });

  test("treats all events as failed if the workflow's events are unknown", () => {
    expect(isReached(threshold(1, 1, 1), { failures: byMinute({ 5: 1 }), events: NONE })).toBe(true);
  });

  const minutes = fc.dictionary(fc.integer({ min: 0, max: 30 }).map(String), fc.integer({ min: 1, max: 20 }), {
    maxKeys: 12,
  });
  const thresholds = fc.record({
    failures: fc.integer({ min: 1, max: 40 }),
    withinMs: fc.integer({ min: 1, max: 12 * MINUTE }),
    rate: fc.option(fc.double({ min: 0.01, max: 1, noNaN: true })),
  });

  test('agrees with summing every window', () => {
    fc.assert(
      fc.property(thresholds, minutes, minutes, (threshold, failed, events) => {
        const length = Math.ceil(threshold.withinMs / MINUTE);
        const sum = (counts: Record<string, number>, last: number) =>
          Object.entries(counts).reduce(
            (total, [minute, count]) => total + (Number(minute) <= last && Number(minute) > last - length ? count : 0),
            0,
          );
        const expected = Object.keys(failed).some((minute) => {
          const failures = sum(failed, Number(minute));
          return (
            failures >= threshold.failures &&
            (threshold.rate === null || failures >= threshold.rate * sum(events, Number(minute)))
          );
        });
        expect(isReached(threshold, { failures: byMinute(failed), events: byMinute(events) })).toBe(expected);
      }),
    );
  });
});
