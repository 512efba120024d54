import { expect, test } from 'vitest';
import { deliverJob } from './deliver.ts';

const runWith = async (signal: AbortSignal, steps: string[] = []) => {
  const step = (name: string) => async () => void steps.push(name);
  await deliverJob(step('delivered'), step('timer set')).run(signal);
  return steps;
};

test('schedules the next deliveries for when they are due after each run, except while Notif stops', async () => {
  expect(await runWith(new AbortController().signal)).toEqual(['delivered', 'timer set']);
  expect(await runWith(AbortSignal.abort())).toEqual(['delivered']);
});
