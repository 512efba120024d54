import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StoreTroubleError } from './errors.ts';
import { heard } from './logger.testing.ts';
import { createLoops, GRACE_MS, type Loop, untilDue } from './loop.ts';

const START = Date.parse('2026-05-04T12:00:00Z');
const at = (seconds: number) => new Date(START + seconds * 1_000);

beforeEach(() => void vi.useFakeTimers({ now: START }));
afterEach(() => void vi.useRealTimers());

function world() {
  const { logger, log } = heard();
  const lines = () => log.map(({ sentence, fields }) => `${sentence}: ${'loop' in fields ? fields.loop : ''}`);
  const counted: string[] = [];
  const count = (loop: string, isSuccess: boolean) => counted.push(`${loop} ${isSuccess ? 'succeeded' : 'failed'}`);
  const until = async (seconds: number) =>
    void (await vi.advanceTimersByTimeAsync(START + seconds * 1_000 - Date.now()));
  const loops = createLoops({
    logger,
    now: () => new Date(),
    timer: { ticks: () => performance.now(), sleep: wait },
    count,
  });
  return { log, lines, counted, loops, until };
}

const wait = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => resolve(clearTimeout(timer)));
  });

function aLoop(run: Loop['run'], change: Partial<Loop> = {}): Loop {
  return { name: 'prune', label: 'Deletions', everyMs: 60_000, timeLimitMs: 10_000, run, ...change };
}

const never = () => new Promise<void>(() => {});

test('a loop runs at the start and then in its interval, counted from the start of a run', async () => {
  const { loops, until, counted } = world();
  const runs: number[] = [];
  const run = async () => {
    runs.push(Date.now() - START);
    await wait(5_000);
  };
  loops.start([aLoop(run)]);
  await until(130);
  expect(runs).toEqual([0, 60_000, 120_000]);
  expect(counted).toEqual(['prune succeeded', 'prune succeeded', 'prune succeeded']);
});

test('a wake-up ends the wait, and any number of them during a run is one more run', async () => {
  const { loops, until } = world();
  let runs = 0;
  const run = async () => {
    runs += 1;
    await wait(2_000);
  };
  loops.start([aLoop(run)]);
  await until(10);
  await loops.wake('prune');
  await until(11);
  expect(runs).toBe(2);
  for (let times = 0; times < 3; times += 1) await loops.wake('prune');
  await until(20);
  expect(runs).toBe(3);
});

test('what is due before the interval is over gets a run shortly after that, but not twice in a second', async () => {
  const { loops, until } = world();
  const runs: number[] = [];
  const due = [at(20), at(0)];
  const run = async () => void runs.push(Date.now() - START);
  loops.start([aLoop(run, { nextAt: async () => due.shift() ?? null })]);
  await until(60);
  expect(runs).toEqual([0, 20_050, 21_050]);
  expect(untilDue(at(-5), at(0))).toBe(1_000);
});

test('an error is logged with the name of the loop and counted, and ends neither it nor another one', async () => {
  const { loops, until, lines, counted } = world();
  const failing = () => Promise.reject(new Error('broken'));
  loops.start([aLoop(failing), aLoop(async () => {}, { name: 'announce' })]);
  await until(61);
  expect(lines()).toEqual(['Loop failed: prune', 'Loop failed: prune']);
  expect(counted).toEqual(['prune failed', 'announce succeeded', 'prune failed', 'announce succeeded']);
});

test('a run that takes too long is aborted and has failed, and the loop goes on without it', async () => {
  const { loops, until, lines, counted } = world();
  const runs: number[] = [];
  const run = (signal: AbortSignal) => {
    runs.push(Math.round((Date.now() - START) / 1_000));
    return runs.length === 1 ? new Promise<void>((_, cut) => signal.addEventListener('abort', cut)) : never();
  };
  loops.start([aLoop(run, { everyMs: 1_000 })]);
  await until(10.5);
  await until(30);
  expect(runs).toEqual([0, 10, 20 + GRACE_MS / 1_000]);
  expect(lines()).toEqual(['Loop timed out: prune', 'Loop cut off: prune', 'Loop timed out: prune']);
  expect(counted).toEqual(['prune failed', 'prune failed']);
});

test("a loop of another replica's environment runs only when it is woken, and isn't behind", async () => {
  const { loops, until } = world();
  let runs = 0;
  let isOurs = false;
  loops.start([aLoop(async () => void runs++, { isOurs: () => isOurs })]);
  await until(600);
  expect(loops.behind()).toEqual([]);
  expect(runs).toBe(0);
  await loops.wake('prune');
  await until(601);
  expect(runs).toBe(1);
  isOurs = true;
  await until(661);
  expect(runs).toBe(2);
});

test('a loop is behind after three intervals without a success, or its limit and an interval if that is longer', async () => {
  const { loops, until } = world();
  let fails = false;
  const run = async () => {
    if (fails) throw new Error('broken');
  };
  loops.start([
    aLoop(run),
    aLoop(run, { name: 'past', timeLimitMs: 600_000 }),
    aLoop(run, { name: 'poll', label: null }),
  ]);
  await until(1);
  fails = true;
  await until(179);
  expect(loops.behind()).toEqual([]);
  await until(181);
  expect(loops.behind()).toEqual([{ name: 'prune', label: 'Deletions' }]);
  await until(661);
  expect(loops.behind().map(({ name }) => name)).toEqual(['prune', 'past']);
  fails = false;
  await until(730);
  expect(loops.behind()).toEqual([]);
});

test("a loop that waits for the database isn't behind, and says what it waits for", async () => {
  const { loops, until, log, counted } = world();
  const err = new StoreTroubleError('read-only', new Error('No space left on device'));
  loops.start([aLoop(() => Promise.reject(err))]);
  await until(600);
  expect([loops.behind(), counted]).toEqual([[], []]);
  expect(log[0]).toEqual({ level: 'warn', sentence: 'Loop waits for the database', fields: { loop: 'prune', err } });
});

test('a loop of which a statement takes too long has failed', async () => {
  const { loops, until, lines, counted } = world();
  const canceled = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
  loops.start([aLoop(() => Promise.reject(new StoreTroubleError('not-answering', canceled)))]);
  await until(600);
  expect(loops.behind()).toEqual([{ name: 'prune', label: 'Deletions' }]);
  expect([lines()[0], counted[0]]).toEqual(['Loop failed: prune', 'prune failed']);
});

test('stopping aborts what runs and waits for its end, and nothing runs after that', async () => {
  const { loops, until } = world();
  let runs = 0;
  const run = async (signal: AbortSignal) => {
    runs += 1;
    await Promise.race([wait(9_000), new Promise((stop) => signal.addEventListener('abort', stop))]);
    await wait(1_000);
  };
  loops.start([aLoop(run)]);
  await until(1);
  const stopped = loops.stop().then(() => Date.now() - START);
  await until(200);
  expect(await stopped).toBe(2_000);
  await loops.wake('prune');
  await until(400);
  expect(runs).toBe(1);
});

test('stopping gives up on a run that never ends', async () => {
  const { loops, until } = world();
  loops.start([aLoop(never)]);
  await until(1);
  const stopped = loops.stop().then(() => Date.now() - START);
  await until(10);
  expect(await stopped).toBe(1_000 + GRACE_MS);
});
