import { beforeEach, describe, expect, test } from 'vitest';
import { EventQuota } from './event-quota.ts';

const MINUTE = 60_000;

describe('the event quota', () => {
  let now: number;
  let quota: EventQuota;
  beforeEach(() => {
    now = 28_000_000 * MINUTE;
    quota = new EventQuota(() => now);
  });
  const deliver = (count: number, taken: (index: number) => boolean = () => true) => {
    for (let index = 0; index < count; index += 1) {
      quota.take();
      if (!taken(index)) quota.fail();
    }
  };

  test('allows 30,000 deliveries an hour, and reports the first that it drops in each minute', () => {
    deliver(29_999);
    expect([quota.take(), quota.take(), quota.take()]).toEqual(['deliver', 'tell-of-limit', 'drop']);
    now += MINUTE;
    expect([quota.take(), quota.take()]).toEqual(['tell-of-limit', 'drop']);
  });

  test('allows deliveries again after an hour', () => {
    deliver(30_000);
    now += 59 * MINUTE;
    expect(quota.take()).not.toBe('deliver');
    now += MINUTE;
    expect(quota.take()).toBe('deliver');
  });

  test.each([
    [1_000, 50, false],
    [1_000, 49, true],
    [999, 0, false],
  ])('ends after %i deliveries of which %i were taken: %o', (count, taken, isEnded) => {
    deliver(count, (index) => index < taken);
    expect([quota.isEnded, quota.take()]).toEqual([isEnded, isEnded ? 'drop' : 'deliver']);
  });
});
