import { afterEach, expect, test, vi } from 'vitest';
import { silent } from '../store/store.testing.ts';
import type { BackgroundJob } from './job.ts';
import { gate, job, listening } from './jobs.testing.ts';
import { createLoops, type Loops } from './loops.ts';

let loops: Loops;
let replica: string | null = null;
const start = (jobs: readonly BackgroundJob[], logger = silent): void => {
  vi.useFakeTimers();
  loops = createLoops({ isOurs: (environment) => environment === replica, logger });
  loops.start(jobs);
};
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000);
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve()));

afterEach(async () => {
  replica = null;
  vi.useRealTimers();
  await loops.stop();
});

test('a job runs at the start and then in its interval, also where the clock of the machine is set back', async () => {
  let runs = 0;
  start([job(async () => void runs++, { everySeconds: 60 })]);
  await seconds(1);
  expect(runs).toBe(1);
  vi.setSystemTime(Date.now() - 3_600_000);
  await seconds(120);
  expect(runs).toBe(3);
});

test('a run that is longer than its interval is followed by one run, not by many', async () => {
  const first = gate();
  let runs = 0;
  start([
    job(
      async () => {
        runs += 1;
        if (runs === 1) await first.opened;
      },
      { everySeconds: 1 },
    ),
  ]);
  await seconds(10);
  expect(runs).toBe(1);
  first.open();
  await vi.advanceTimersByTimeAsync(1);
  expect(runs).toBe(2);
});

test('a job that is woken any number of times during a run runs once more', async () => {
  const first = gate();
  let runs = 0;
  start([
    job(async () => {
      runs += 1;
      await first.opened;
    }),
  ]);
  await seconds(1);
  for (let times = 0; times < 3; times++) await loops.wake('count');
  first.open();
  await seconds(1);
  expect(runs).toBe(2);
});

test("a job of another replica's environment runs only when it's woken, and in its interval once the environment is ours", async () => {
  let runs = 0;
  start([job(async () => void runs++, { environment: 'staging', everySeconds: 60 })]);
  await seconds(120);
  expect(runs).toBe(0);
  await loops.wake('count');
  await seconds(1);
  expect(runs).toBe(1);
  replica = 'staging';
  await seconds(60);
  expect(runs).toBe(2);
});

test('jobs never wait for each other, and one that fails is logged and runs again', async () => {
  const { sentences, logger } = listening();
  const { opened, open } = gate();
  let runs = 0;
  start(
    [
      job(() => opened, { name: 'hung' }),
      job(() => Promise.reject(new Error('broken')), { everySeconds: 60 }),
      job(async () => void runs++, { name: 'other', everySeconds: 60 }),
    ],
    logger,
  );
  await seconds(61);
  expect(runs).toBe(2);
  expect(sentences).toEqual(['job failed', 'job failed']);
  open();
});

test('a run is aborted at its timeout, and stopping aborts what runs and waits for its end', async () => {
  const { sentences, logger } = listening();
  const ending = gate();
  let stopped = false;
  start(
    [
      job((signal) => aborted(signal), { timeoutSeconds: 5 }),
      job((signal) => aborted(signal).then(() => ending.opened), { name: 'slow' }),
    ],
    logger,
  );
  await seconds(10);
  expect(sentences).toEqual(['job cut off at its timeout']);
  const stop = loops.stop().then(() => {
    stopped = true;
  });
  await seconds(1);
  expect(stopped).toBe(false);
  ending.open();
  await stop;
  await loops.wake('count');
});
