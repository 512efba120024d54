import { expect, test } from 'vitest';
import { pruneJob } from './prune.ts';

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
