import { expect, test } from 'vitest';
import { StoreTroubleError } from '../health/store-trouble.ts';
import { untilStored } from './store-at-start.ts';

const FULL = new StoreTroubleError('read-only');

function starting(...endings: readonly Error[]) {
  const stopping = new AbortController();
  const seen = { attempts: 0, warnings: [] as string[] };
  const storing = async () => {
    const ending = endings[seen.attempts++];
    if (ending !== undefined) throw ending;
  };
  const nothing = () => {};
  const warn = (_: object, sentence: string): void => void seen.warnings.push(sentence);
  const logger = { debug: nothing, info: nothing, error: nothing, warn };
  return {
    seen,
    start: () => untilStored(storing, { logger, signal: stopping.signal, everyMs: 1 }),
    stop: () => stopping.abort(),
  };
}

test('stores at once and logs nothing when the store accepts changes', async () => {
  const { seen, start } = starting();
  await start();
  expect(seen).toEqual({ attempts: 1, warnings: [] });
});

test('logs once that the store accepts no changes, and goes on trying until it does', async () => {
  const { seen, start } = starting(FULL, FULL, FULL);
  await start();
  expect(seen.attempts).toBe(4);
  expect(seen.warnings).toEqual([expect.stringContaining('started without changes to the database')]);
});

test('rejects on any other error', async () => {
  const bug = new Error('a bug');
  await expect(starting(bug).start()).rejects.toThrow(bug);
  await expect(starting(FULL, bug).start()).rejects.toThrow(bug);
});

test('logs nothing and makes no other attempt once the process is stopping', async () => {
  const { seen, start, stop } = starting(FULL, new Error('an attempt too many'));
  const started = start();
  stop();
  await started;
  expect(seen).toEqual({ attempts: 1, warnings: [] });
});
