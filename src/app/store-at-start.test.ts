import { expect, test } from 'vitest';
import { StoreTroubleError } from '../domain/health/store-trouble.ts';
import { storeAtStart } from './store-at-start.ts';

const FULL = new StoreTroubleError('read-only');

function starting(...endings: readonly Error[]) {
  const stopping = new AbortController();
  const seen = { attempts: 0, warnings: [] as string[], fatal: [] as unknown[] };
  const storing = async () => {
    const ending = endings[seen.attempts++];
    if (ending !== undefined) throw ending;
  };
  const nothing = () => {};
  const start = () =>
    storeAtStart(storing, {
      logger: { debug: nothing, info: nothing, error: nothing, warn: (_, sentence) => seen.warnings.push(sentence) },
      onFatal: (error) => seen.fatal.push(error),
      signal: stopping.signal,
      everyMs: 1,
    });
  return { seen, start, stop: () => stopping.abort() };
}

test('stores at once and logs nothing when the store accepts changes', async () => {
  const { seen, start } = starting();
  expect(await start()).toMatchObject({ isStored: true });
  expect(seen).toEqual({ attempts: 1, warnings: [], fatal: [] });
});

test('starts without changes while the store accepts none, logs that once, and stores them later', async () => {
  const { seen, start } = starting(FULL, FULL, FULL);
  const { isStored, done } = await start();
  expect(isStored).toBe(false);
  await done;
  expect(seen.attempts).toBe(4);
  expect(seen.warnings).toEqual([expect.stringContaining('started without changes to the database')]);
  expect(seen.fatal).toEqual([]);
});

test('rejects on any other error at the start, and ends the process on a later one', async () => {
  const bug = new Error('a bug');
  await expect(starting(bug).start()).rejects.toThrow(bug);
  const later = starting(FULL, bug);
  await (await later.start()).done;
  expect(later.seen.fatal).toEqual([bug]);
});

test('stops retrying once the process is stopping', async () => {
  const { seen, start, stop } = starting(FULL, new Error('an attempt too many'));
  const { done } = await start();
  stop();
  await done;
  expect(seen).toMatchObject({ attempts: 1, fatal: [] });
});

test('logs nothing and makes no other attempt if the store was closed by a stop: the log has the reason for that', async () => {
  const { seen, start, stop } = starting(FULL, new Error('an attempt too many'));
  const started = start();
  stop();
  expect(await started).toMatchObject({ isStored: false });
  await (await started).done;
  expect(seen).toEqual({ attempts: 1, warnings: [], fatal: [] });
});
