import { describe, expect, test } from 'vitest';
import { StoreTroubleError } from '../domain/health/store-trouble.ts';
import type { Logger } from '../domain/logger.ts';
import type { Observer } from '../domain/observer.ts';
import type { BackgroundJob } from './job.ts';
import { type JobOutcome, runningJobs } from './loops.ts';

function observed(graceMs = 10) {
  const lines: object[] = [];
  const told: string[] = [];
  const note = (fields: object, sentence: string): void => void lines.push({ ...fields, sentence });
  const logger: Logger = { debug: note, info: note, warn: note, error: note };
  const observe: Observer<JobOutcome> = (job) => (outcome) => void told.push(`${job} ${outcome}`);
  return { lines, told, running: runningJobs(graceMs, logger, observe) };
}

function job(name: string, run: BackgroundJob['run'], timeoutSeconds = 60): BackgroundJob {
  return { name, environment: null, everySeconds: 60, timeoutSeconds, run };
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve()));

test('the runner gives up on a job that continues after its signal, and logs that', async () => {
  const { lines, running } = observed();
  await running.run(job('deaf', () => new Promise(() => {}), 0.01));
  expect(lines).toEqual([{ job: 'deaf', graceMs: 10, sentence: 'job given up: it goes on after its signal' }]);
});

test("a job waits, without logging an error, if the log has already named the store's trouble", async () => {
  const { lines, told, running } = observed();
  await running.run(job('early', () => Promise.reject(new StoreTroubleError('read-only'))));
  await running.run(
    job('late', () => Promise.reject(new StoreTroubleError('read-only', undefined, { isKnown: true }))),
  );
  expect(lines).toEqual([
    { job: 'early', isOutOfTime: false, err: expect.any(StoreTroubleError), sentence: 'job failed' },
    { job: 'late', trouble: 'read-only', sentence: 'job waits for the store' },
  ]);
  expect(told).toEqual(['early failed', 'late waiting']);
});

describe('the outcome of a job', () => {
  test.each<[JobOutcome, BackgroundJob]>([
    ['done', job('quick', async () => {})],
    ['failed', job('broken', () => Promise.reject(new Error('a bug')))],
    ['cut-off', job('long', untilAborted, 0.01)],
    ['given-up', job('deaf', () => new Promise(() => {}), 0.01)],
  ])('is observed as %s', async (outcome, one) => {
    const { told, running } = observed(outcome === 'cut-off' ? 10_000 : 10);
    await running.run(one);
    expect(told).toEqual([`${one.name} ${outcome}`]);
  });

  test('is observed as stopped when Notif stops', async () => {
    const { told, running } = observed(10_000);
    const ended = Promise.all([
      running.run(job('long', untilAborted)),
      running.run(job('hasty', (signal) => untilAborted(signal).then(() => Promise.reject(new Error('cut short'))))),
    ]);
    running.abort();
    await ended;
    expect(told).toEqual(['long stopped', 'hasty stopped']);
  });
});
