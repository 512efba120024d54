import { expect, test } from 'vitest';
import type { Delivered } from '../judging/judge.ts';
import { aJob, anEvent, at, aWait } from '../service/event.testing.ts';
import { latencyBucketOf, MinuteCounts, quantileOf } from './minute-counts.ts';

const eventAt = (id: string, seconds: number | null) => {
  return { ...anEvent({ id }), createdAt: seconds === null ? null : at(seconds) };
};
const deliveredAt = (seconds: number, provider: string | null = 'ses'): Delivered => {
  return { channel: 'email', provider, domain: null, at: at(seconds) };
};

test('an event counts once, in the minute in which it was created or else in the first that is read', () => {
  const counts = new MinuteCounts({ from: at(0), to: at(600) });
  const event = eventAt('a', 70);
  for (const _ of [1, 2]) counts.addEvent(event, [], at(600));
  counts.addEvent({ ...eventAt('b', null), workflow: null }, [], at(600));
  for (const _ of [1, 2]) counts.addUnreadableEvent(event);
  counts.addUnreadable({ key: 'c', createdAt: at(119) });
  expect([...counts.events.values()]).toEqual([
    { minute: at(60), workflow: 'order-shipped', events: 1, unreadable: 0 },
    { minute: at(0), workflow: '', events: 1, unreadable: 0 },
    { minute: at(60), workflow: '', events: 0, unreadable: 2 },
  ]);
});

test("deliveries count by their minute, the event's minute, workflow, channel and provider, with the last one's time", () => {
  const counts = new MinuteCounts({ from: at(0), to: at(600) });
  counts.addEvent(eventAt('a', 10), [deliveredAt(70), deliveredAt(75, null)], at(600));
  counts.addEvent(eventAt('b', 20), [deliveredAt(80)], at(600));
  counts.addEvent(eventAt('c', 30), [deliveredAt(65)], at(600));
  counts.addEvent(eventAt('d', 40), [deliveredAt(900)], at(130));
  const key = { created: at(0), workflow: 'order-shipped', channel: 'email', provider: 'ses' };
  expect([...counts.deliveries.values()]).toMatchObject([
    { ...key, minute: at(60), successes: 3, lastAt: at(80) },
    { ...key, provider: '', minute: at(60), successes: 1, lastAt: at(75) },
    { ...key, minute: at(120), successes: 1, lastAt: at(130) },
  ]);
});

test("a latency is counted from the event's creation, without a planned wait", () => {
  const delay = aJob({ type: 'delay', wait: aWait({ ms: 45_000 }) });
  const delayed = anEvent({ jobs: [delay, aJob()] });
  expect([latencyBucketOf(anEvent(), at(0.4)), latencyBucketOf(anEvent(), at(3))]).toEqual([0, 4]);
  expect(latencyBucketOf(delayed, at(48))).toBe(latencyBucketOf(anEvent(), at(3)));
  expect(latencyBucketOf(anEvent({ createdAt: null }), at(3))).toBeNull();
});

test('a quantile is never too low, and at most 42% too high', () => {
  const counts = new Map<number, number>();
  for (let seconds = 1; seconds <= 100; seconds++) {
    const bucket = latencyBucketOf(anEvent(), at(seconds)) ?? -1;
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }
  for (const share of [0.5, 0.95]) {
    const ratio = (quantileOf(counts, share) ?? 0) / (share * 100_000);
    expect(ratio).toBeGreaterThanOrEqual(1);
    expect(ratio).toBeLessThan(1.42);
  }
  expect(quantileOf(new Map(), 0.5)).toBeNull();
});
