import { expect, test } from 'vitest';
import { aJob, anEvent, at, aWait } from '../service/event.testing.ts';
import { latencyOf, quantileOf } from './latency.ts';

test('a latency is counted from the event, without a planned wait', () => {
  const delay = aJob({ type: 'delay', wait: aWait({ ms: 45_000 }) });
  const both = anEvent({ jobs: [delay, aJob()] });
  expect([latencyOf(anEvent(), at(0.4)), latencyOf(anEvent(), at(3))]).toEqual([0, 4]);
  expect(latencyOf(both, at(48))).toBe(latencyOf(anEvent(), at(3)));
  expect(latencyOf(anEvent({ createdAt: null }), at(3))).toBeNull();
});

test('a quantile is at most 1.4 times what it was', () => {
  const counts = new Map<number, number>();
  for (let seconds = 1; seconds <= 100; seconds++) {
    const bucket = latencyOf(anEvent(), at(seconds)) ?? -1;
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }
  for (const share of [0.5, 0.95]) {
    const ratio = (quantileOf(counts, share) ?? 0) / (share * 100_000);
    expect(ratio).toBeGreaterThanOrEqual(1);
    expect(ratio).toBeLessThan(1.42);
  }
  expect(quantileOf(new Map(), 0.5)).toBeNull();
});
