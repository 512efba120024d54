import { expect, test } from 'vitest';
import { checkResult, fine } from '../../domain/health/check-result.ts';
import type { Logger } from '../../domain/logger.ts';
import { examine, type SetupCheck } from './examine.ts';

const FIX = { what: 'It is broken.', next: 'Fix it.' };
const never = () => new Promise<void>(() => {});

function examining(checks: readonly SetupCheck[], sleep: (ms: number, signal?: AbortSignal) => Promise<void> = never) {
  const warnings: unknown[] = [];
  const logger: Logger = { debug() {}, info() {}, warn: (fields) => warnings.push(fields), error() {} };
  return examine(checks, { sleep, logger }).then((results) => ({ results, warnings }));
}

const finds = (...results: Awaited<ReturnType<SetupCheck['look']>>): SetupCheck => ({
  subject: 'Matter',
  look: async () => results,
});

test('lists what to fix first, and what is fine last', async () => {
  const verdicts = ['advice', 'problem', 'unknown'] as const;
  const { results } = await examining([
    finds(fine('A', 'Fine.'), ...verdicts.map((one) => checkResult(one, 'B', FIX))),
  ]);
  expect(results.map(({ verdict }) => verdict)).toEqual(['problem', 'unknown', 'advice', 'fine']);
});

test('returns what it has when a check takes longer than ten seconds, and stops that check', async () => {
  const slept: number[] = [];
  let stopped: AbortSignal | undefined;
  const hanging: SetupCheck = {
    subject: 'Slow',
    look: async (signal) => {
      stopped = signal;
      await never();
      return [];
    },
  };
  const { results } = await examining([hanging, finds(fine('A', 'Fine.'))], async (ms) => void slept.push(ms));
  expect(slept).toEqual([10_000]);
  expect(stopped?.aborted).toBe(true);
  expect(results).toContainEqual(
    checkResult('unknown', 'Slow', { what: 'This took longer than 10 s.', next: 'Try again in a minute.' }),
  );
});

test('reports a check that fails, logs why, and continues with the others', async () => {
  const failure = new Error('no way');
  const failing: SetupCheck = { subject: 'Broken', look: () => Promise.reject(failure) };
  const { results, warnings } = await examining([failing, finds(fine('A', 'Fine.'))]);
  expect(results.map(({ subject, verdict }) => [subject, verdict])).toEqual([
    ['Broken', 'unknown'],
    ['A', 'fine'],
  ]);
  expect(warnings).toEqual([{ err: failure, subject: 'Broken' }]);
});
