import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLimiter, holdMsOf, type Limiter, retryAfterMs } from './limits.ts';
import type { Call } from './query.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const PERSON = { who: 'person' } as const;
const POLLER = { who: 'poller' } as const;
const BUSY = new Error('busy');
const NOON = Date.parse('2026-11-20T12:00:00Z');
const settle = () => vi.advanceTimersByTimeAsync(0);

function hanging(limiter: Limiter, call: Call, tasks: number): () => number {
  let started = 0;
  for (let task = 0; task < tasks; task++) {
    const running = limiter.run(call, 60_000, BUSY, async () => {
      started++;
      await new Promise(() => {});
    });
    running.catch(() => {});
  }
  return () => started;
}

test('the limiter runs at most twenty requests at a time, and neither people nor the poller wait for the other', async () => {
  const limiter = createLimiter();
  const polls = hanging(limiter, POLLER, 30);
  const people = hanging(limiter, PERSON, 30);
  await settle();
  expect([people(), polls()]).toEqual([16, 4]);
});

test('the limiter refuses a request after its time without room', async () => {
  const limiter = createLimiter();
  hanging(limiter, PERSON, 16);
  const refused = expect(limiter.run(PERSON, 8_000, BUSY, async () => {})).rejects.toBe(BUSY);
  await vi.advanceTimersByTimeAsync(8_000);
  await refused;
});

test("the limiter ends a wait, but not what already runs, with the signal's reason", async () => {
  const limiter = createLimiter();
  const controller = new AbortController();
  const running = limiter.run({ ...PERSON, signal: controller.signal }, 60_000, BUSY, async () => {
    await new Promise((resolve) => setTimeout(resolve, 20_000));
    return 'done';
  });
  hanging(limiter, PERSON, 15);
  const waiting = limiter.run({ ...PERSON, signal: controller.signal }, 60_000, BUSY, async () => 'never');
  const ended = expect(waiting).rejects.toBe('gone');
  controller.abort('gone');
  await ended;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await running).toBe('done');
});

test('the limiter holds back the poller, not people, until the longest pause that was asked for is over', async () => {
  const limiter = createLimiter();
  limiter.holdPoller(2_000);
  limiter.holdPoller(500);
  const [polls, people] = [hanging(limiter, POLLER, 1), hanging(limiter, PERSON, 1)];
  await vi.advanceTimersByTimeAsync(1_999);
  expect([polls(), people()]).toEqual([0, 1]);
  expect(limiter.heldForMs()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(polls()).toBe(1);
  expect(limiter.heldForMs()).toBe(0);
});

const limits = (remaining: string) => ({
  'ratelimit-limit': '150',
  'ratelimit-remaining': remaining,
  'ratelimit-reset': '4',
});

test.each([
  ['says nothing', 200, {}, 0],
  ['leaves plenty', 200, limits('100'), 0],
  ['leaves less than a quarter', 200, limits('37'), 4_000],
  ['refuses and says when to come back', 429, { 'retry-after': '3' }, 3_000],
  ['refuses for an hour', 429, { 'retry-after': '3600' }, 60_000],
  ['writes nonsense', 200, limits('-1'), 0],
])('reads the allowance of a response that %s', (_case, status, headers, holdMs) => {
  expect(holdMsOf(status, new Headers(headers), NOON)).toBe(holdMs);
});

test.each([
  ['7', 7_000],
  ['Fri, 20 Nov 2026 12:00:09 GMT', 9_000],
  ['0', 1_000],
  ['Fri, 20 Nov 2026 11:00:00 GMT', 1_000],
  ['soon', null],
])('reads Retry-After %s, by the clock of the service or, where it says no Date, by ours', (value, ms) => {
  const dated = { date: 'Fri, 20 Nov 2026 12:00:00 GMT', 'retry-after': value };
  expect(retryAfterMs(new Headers(dated), 0)).toBe(ms);
  expect(retryAfterMs(new Headers({ 'retry-after': value }), NOON)).toBe(ms);
});
