import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLimiter, type Limiter, LimiterBusyError } from './limiter.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const PERSON = { who: 'person' } as const;
const POLLER = { who: 'poller' } as const;

/** Runs a task until the test ends it. */
function aTask(limiter: Limiter, caller: Parameters<Limiter['run']>[0], name: string, started: string[]) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const done = limiter.run(caller, async () => {
    started.push(name);
    await ended;
  });
  return { end, done };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

test("the limiter runs people's requests before the poller's, whichever came first", async () => {
  const limiter = createLimiter({ maxConcurrent: 1 });
  const started: string[] = [];
  const running = aTask(limiter, PERSON, 'running', started);
  const polling = aTask(limiter, POLLER, 'poller', started);
  const person = aTask(limiter, PERSON, 'person', started);
  running.end();
  await running.done;
  person.end();
  await person.done;
  polling.end();
  await polling.done;
  expect(started).toEqual(['running', 'person', 'poller']);
});

test('the limiter keeps room for people while the poller has many requests', async () => {
  const limiter = createLimiter();
  const started: string[] = [];
  for (let task = 0; task < 30; task++) aTask(limiter, POLLER, 'poller', started).done.catch(() => {});
  aTask(limiter, PERSON, 'person', started);
  await settle();
  expect(started).toEqual(['poller', 'poller', 'poller', 'poller', 'person']);
  expect(limiter.state()).toMatchObject({ running: 5, waiting: 26, waitingPeople: 0 });
});

test('the limiter runs at most 20 requests at a time', async () => {
  const limiter = createLimiter();
  const started: string[] = [];
  const pollers = Array.from({ length: 4 }, () => aTask(limiter, POLLER, 'poller', started));
  const people = Array.from({ length: 21 }, () => aTask(limiter, PERSON, 'person', started));
  const tasks = [...pollers, ...people];
  await settle();
  expect(started).toHaveLength(20);
  for (const task of tasks) task.end();
  await Promise.all(tasks.map(({ done }) => done));
  expect(started).toHaveLength(25);
  expect(limiter.state()).toMatchObject({ running: 0, waiting: 0 });
});

test("the limiter keeps two places for the poller while people's requests hang", async () => {
  const limiter = createLimiter();
  const started: string[] = [];
  for (let task = 0; task < 25; task++) aTask(limiter, PERSON, 'person', started).done.catch(() => {});
  await settle();
  expect(started).toHaveLength(18);
  const polls = Array.from({ length: 3 }, () => aTask(limiter, POLLER, 'poller', started));
  await settle();
  expect(started.slice(18)).toEqual(['poller', 'poller']);
  polls[0]?.end();
  await polls[0]?.done;
  await settle();
  expect(started.slice(18)).toEqual(['poller', 'poller', 'poller']);
});

test("the limiter refuses a person's request after 8 s without room, and forgets it", async () => {
  const limiter = createLimiter({ maxConcurrent: 1 });
  const started: string[] = [];
  const running = aTask(limiter, PERSON, 'running', started);
  const late = limiter.run(PERSON, async () => started.push('late'));
  const refused = expect(late).rejects.toEqual(new LimiterBusyError(8_000));
  await vi.advanceTimersByTimeAsync(8_000);
  await refused;
  running.end();
  await running.done;
  expect(started).toEqual(['running']);
});

test("the limiter waits no longer than the caller's remaining time", async () => {
  const limiter = createLimiter({ maxConcurrent: 1 });
  aTask(limiter, PERSON, 'running', []);
  const refused = expect(limiter.run({ ...PERSON, maxWaitMs: 100 }, async () => {})).rejects.toThrow(LimiterBusyError);
  await vi.advanceTimersByTimeAsync(100);
  await refused;
});

test('the limiter gives up a place when its signal aborts', async () => {
  const limiter = createLimiter({ maxConcurrent: 1 });
  aTask(limiter, PERSON, 'running', []);
  const controller = new AbortController();
  const waiting = limiter.run({ ...PERSON, signal: controller.signal }, async () => {});
  controller.abort('gone');
  await expect(waiting).rejects.toBe('gone');
  expect(limiter.state().waiting).toBe(0);
  await expect(limiter.run({ ...PERSON, signal: controller.signal }, async () => {})).rejects.toBe('gone');
});

test('the limiter forgets how many requests were left once a poll would have had a newer answer', async () => {
  const limiter = createLimiter();
  limiter.observe({ remaining: 3, holdPollerMs: 0, isRefused: false });
  await vi.advanceTimersByTimeAsync(2 * 60_000 - 1);
  expect(limiter.state().remaining).toBe(3);
  await vi.advanceTimersByTimeAsync(1);
  expect(limiter.state().remaining).toBeNull();
  limiter.observe({ remaining: 140, holdPollerMs: 0, isRefused: false });
  expect(limiter.state().remaining).toBe(140);
});

test('the limiter makes room again after a failed task', async () => {
  const limiter = createLimiter({ maxConcurrent: 1 });
  await expect(limiter.run(PERSON, async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await limiter.run(PERSON, async () => 'yes')).toBe('yes');
});

test('the limiter holds back the poller, not people, until the allowance refreshes', async () => {
  const limiter = createLimiter();
  const started: string[] = [];
  limiter.observe({ remaining: 3, holdPollerMs: 2_000, isRefused: false });
  limiter.observe({ remaining: null, holdPollerMs: 500, isRefused: false });
  aTask(limiter, POLLER, 'poller', started);
  aTask(limiter, PERSON, 'person', started);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(started).toEqual(['person']);
  expect(limiter.state()).toMatchObject({ remaining: 3, pollerHeldUntil: expect.any(Date) });
  await vi.advanceTimersByTimeAsync(1);
  expect(started).toEqual(['person', 'poller']);
  expect(limiter.state().pollerHeldUntil).toBeNull();
});

test("the limiter says until when the service's refusal lasts, but not that requests only run low", async () => {
  const limiter = createLimiter();
  limiter.observe({ remaining: 3, holdPollerMs: 9_000, isRefused: false });
  expect(limiter.state().refusedForMs).toBe(0);
  limiter.observe({ remaining: 0, holdPollerMs: 5_000, isRefused: true });
  await vi.advanceTimersByTimeAsync(1_000);
  limiter.observe({ remaining: 0, holdPollerMs: 2_000, isRefused: true });
  expect(limiter.state().refusedForMs).toBe(4_000);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(limiter.state().refusedForMs).toBe(0);
});

test('the limiter admits the poller at the end of a hold even if its timer fires a millisecond early', async () => {
  let behindMs = 0;
  const limiter = createLimiter({ now: () => Date.now() - behindMs });
  const started: string[] = [];
  limiter.observe({ remaining: 0, holdPollerMs: 2_000, isRefused: false });
  aTask(limiter, POLLER, 'poller', started);
  behindMs = 1;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(started).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(started).toEqual(['poller']);
});

test("the limiter doesn't hold the poller back for longer because the clock was set back", async () => {
  const limiter = createLimiter();
  limiter.observe({ remaining: 0, holdPollerMs: 5_000, isRefused: false });
  vi.setSystemTime(Date.now() - 3_600_000);
  expect(limiter.state().pollerHeldUntil).toBeNull();
  const started: string[] = [];
  const { end, done } = aTask(limiter, POLLER, 'poller', started);
  await settle();
  expect(started).toEqual(['poller']);
  end();
  await done;
});

test('the limiter assumes half the rate after a refusal without a stated limit, and twice that after each five minutes without', async () => {
  const limiter = createLimiter();
  const refusedFor = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      limiter.observeRate(null, true);
      limiter.observeRate(null, true);
      await vi.advanceTimersByTimeAsync(60_000);
    }
  };
  await refusedFor(3);
  expect(limiter.requestsAMinute()).toBe(225);
  await vi.advanceTimersByTimeAsync(4 * 60_000);
  expect(limiter.requestsAMinute()).toBe(450);
  await refusedFor(24 * 60);
  expect(limiter.requestsAMinute()).toBeGreaterThan(20);
  await vi.advanceTimersByTimeAsync(30 * 60_000);
  expect(limiter.requestsAMinute()).toBe(1_800);
});

test('the limiter still assumes the full rate after hours with a refusal in each quarter of an hour', async () => {
  const limiter = createLimiter();
  for (let quarter = 0; quarter < 20; quarter++) {
    limiter.observeRate(null, true);
    expect(limiter.requestsAMinute()).toBe(900);
    await vi.advanceTimersByTimeAsync(15 * 60_000);
  }
  expect(limiter.requestsAMinute()).toBe(1_800);
});

test('the limiter goes by a rate that the service states for an hour, and halves that too', async () => {
  const limiter = createLimiter();
  limiter.observeRate(null, true);
  limiter.observeRate(600, false);
  expect(limiter.requestsAMinute()).toBe(600);
  await vi.advanceTimersByTimeAsync(60_000);
  limiter.observeRate(null, true);
  expect(limiter.requestsAMinute()).toBe(300);
  await vi.advanceTimersByTimeAsync(58 * 60_000);
  expect(limiter.requestsAMinute()).toBe(600);
  await vi.advanceTimersByTimeAsync(60_001);
  expect(limiter.requestsAMinute()).toBe(1_800);
});
