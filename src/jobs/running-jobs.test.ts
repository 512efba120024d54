import { expect, it } from 'vitest';
import { runningJobs } from './running-jobs.ts';

it('gives up what goes on after its signal, and says so', async () => {
  const warnings: object[] = [];
  const note = (fields: object, sentence: string): void => void warnings.push({ ...fields, sentence });
  const running = runningJobs(10, { debug: note, info: note, warn: note, error: note });
  await running.run({ name: 'deaf', everySeconds: 60, timeoutSeconds: 0.01, run: () => new Promise(() => {}) });
  expect(warnings).toEqual([{ job: 'deaf', graceMs: 10, sentence: 'job given up: it goes on after its signal' }]);
});
