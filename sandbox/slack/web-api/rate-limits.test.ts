import { beforeEach, describe, expect, test } from 'vitest';
import { PER_MINUTE, RateLimits } from './rate-limits.ts';

describe('the limits of the Web API', () => {
  let now: number;
  let limits: RateLimits;
  beforeEach(() => {
    now = 1_700_000_000_000;
    limits = new RateLimits(() => now);
  });

  const repeat = (count: number, take: () => number | undefined) => Array.from({ length: count }, take);

  test.each([
    [1, 1],
    [2, 20],
    [3, 50],
    [4, 100],
    ['special', 600],
  ] as const)('allow a method of tier %s %i calls per minute and no more', (tier, count) => {
    expect(PER_MINUTE[tier]).toBe(count);
    const take = () => limits.takeCall('users.info', tier);
    expect(repeat(count, take)).not.toContainEqual(expect.any(Number));
    expect(take()).toBe(60);
    expect(limits.takeCall('another.method', tier)).toBeUndefined();
    now += 59_999;
    expect(take()).toBe(1);
    now += 1;
    expect(take()).toBeUndefined();
  });

  test('allow 10 messages at once in a channel, then one a second', () => {
    const post = () => limits.takePost('C0ONCALL');
    expect(repeat(10, post)).not.toContainEqual(expect.any(Number));
    expect(post()).toBe(1);
    expect(limits.takePost('C0GENERAL')).toBeUndefined();
    now += 999;
    expect(post()).toBe(1);
    now += 1;
    expect(post()).toBeUndefined();
    expect(post()).toBe(1);
  });

  test('allow 300 messages per minute in the workspace and no more', () => {
    const posts = Array.from({ length: 300 }, (_, index) => limits.takePost(`C${index}`));
    expect(posts).not.toContainEqual(expect.any(Number));
    expect(limits.takePost('C300')).toBe(60);
    now += 60_000;
    expect(limits.takePost('C300')).toBeUndefined();
  });
});
