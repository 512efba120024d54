import { expect, test } from 'vitest';
import { deliverJob, pruneJob } from './jobs.ts';

const runWith = async (signal: AbortSignal, steps: string[] = []) => {
  const step = (name: string) => async () => void steps.push(name);
  await deliverJob(step('delivered'), step('timer set')).run(signal);
  return steps;
};

test('schedules the next deliveries for when they are due after each run, except while Notif stops', async () => {
  expect(await runWith(new AbortController().signal)).toEqual(['delivered', 'timer set']);
  expect(await runWith(AbortSignal.abort())).toEqual(['delivered']);
});

const NOON = new Date('2026-03-04T12:00:00Z');

test('prunes by the retention, passes on the abort signal, and logs how many rows it deleted', async () => {
  const logged: object[] = [];
  const asked: unknown[] = [];
  const note = (fields: object): void => void logged.push(fields);
  const store = {
    prune: async (...given: unknown[]) => {
      asked.push(given);
      return 7;
    },
  };
  const logger = { debug: note, info: note, warn: note, error: note };
  const { signal } = new AbortController();
  await pruneJob({ store, retentionDays: 30, logger, now: () => NOON }).run(signal);
  expect(asked).toEqual([[NOON, 30, signal]]);
  expect(logged).toEqual([{ rows: 7, days: 30 }]);
});
