import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { abortAfter, createStopping } from './abort-after.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const aborted = (signal: AbortSignal) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted'), { once: true }));

test('aborts after its time, even if garbage is collected meanwhile', async () => {
  const end = aborted(abortAfter(50, new AbortController().signal));
  for (let time = 0; time < 3; time += 1) {
    collectGarbage();
    await new Promise(setImmediate);
  }
  expect(await end).toBe('aborted');
});

test('aborts at once when the process stops, or where it has', async () => {
  const stopping = new AbortController();
  const end = aborted(abortAfter(3_600_000, stopping.signal));
  stopping.abort();
  expect(await end).toBe('aborted');
  expect(abortAfter(3_600_000, stopping.signal).aborted).toBe(true);
});

test('warns of no leak, however many questions wait at once', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on('warning', note);
  const stopping = createStopping();
  for (let question = 0; question < 50; question += 1) abortAfter(3_600_000, stopping.signal);
  await new Promise(setImmediate);
  process.off('warning', note);
  stopping.abort();
  expect(warnings).toEqual([]);
});
