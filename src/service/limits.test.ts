import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLimiter, type Limiter, pausesOf, retryAfterMs } from './limits.ts';
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
  limiter.hold({ personMs: 0, pollerMs: 2_000 });
  limiter.hold({ personMs: 0, pollerMs: 500 });
  const [polls, people] = [hanging(limiter, POLLER, 1), hanging(limiter, PERSON, 1)];
  await vi.advanceTimersByTimeAsync(1_999);
  expect([polls(), people()]).toEqual([0, 1]);
  expect(limiter.heldForMs()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(polls()).toBe(1);
  expect(limiter.heldForMs()).toBe(0);
});

const retryAfter = (seconds: string) => ({ 'retry-after': seconds });
const limits = (remaining: string) => ({
  'ratelimit-limit': '150',
  'ratelimit-remaining': remaining,
  'ratelimit-reset': '4',
});

test.each<{
  response: string;
  status?: number;
  headers: Record<string, string>;
  personMs: number;
  pollerMs: number;
}>([
  { response: 'says nothing', headers: {}, personMs: 0, pollerMs: 0 },
  { response: 'leaves plenty', headers: limits('100'), personMs: 0, pollerMs: 0 },
  { response: 'leaves less than a quarter', headers: limits('37'), personMs: 0, pollerMs: 333 },
  { response: 'leaves less than a tenth', headers: limits('14'), personMs: 4_000, pollerMs: 333 },
  { response: 'says when to come back', status: 429, headers: retryAfter('3'), personMs: 3_000, pollerMs: 3_000 },
  { response: 'refuses for an hour', status: 429, headers: retryAfter('3600'), personMs: 5_000, pollerMs: 60_000 },
  { response: 'writes nonsense', headers: limits('-1'), personMs: 0, pollerMs: 0 },
])(
  'holds back people and the poller after a response that $response',
  ({ status = 200, headers, personMs, pollerMs }) => {
    const holds = pausesOf(status, new Headers(headers), NOON);
    expect([holds.personMs, Math.floor(holds.pollerMs)]).toEqual([personMs, pollerMs]);
  },
);

test('the poller gets through while people use up what the service allows', async () => {
  const limiter = createLimiter();
  let [allowed, polled] = [150, 0];
  const refill = setInterval(() => {
    allowed = 150;
  }, 5_000);
  const asks = (call: Call, answered = () => {}) =>
    limiter.run(call, 60_000, BUSY, async () => {
      allowed -= 1;
      const [status, headers] = allowed < 0 ? [429, { 'retry-after': '5' }] : [200, limits(`${allowed}`)];
      limiter.hold(pausesOf(Number(status), new Headers(Object(headers)), NOON));
      if (status === 200) answered();
    });
  for (let each = 0; each < 1_500; each += 1) asks(PERSON).catch(() => {});
  for (let each = 0; each < 60; each += 1) asks(POLLER, () => void polled++).catch(() => {});
  await vi.advanceTimersByTimeAsync(30_000);
  clearInterval(refill);
  expect(polled).toBeGreaterThan(50);
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
