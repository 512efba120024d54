import { expect, test } from 'vitest';
import { anEnvironment } from '../lib/environment.testing.ts';
import { StoreTroubleError } from '../lib/errors.ts';
import { silent } from '../lib/logger.testing.ts';
import { NOON } from '../service/event.testing.ts';
import { dbAnswering } from '../store/store.testing.ts';
import { announceAll } from './announce.ts';

function announced(failure: Error) {
  const environments = ['production', 'staging'].map((name) => anEnvironment({ name }));
  const db = dbAnswering(async (text) => {
    if (text.includes('announced_news')) return environments.map(({ name }) => [name, 1]);
    throw failure;
  });
  const polls = { isRecording: () => false };
  const ctx = { polls, db, environments, pollMs: 60_000, logger: silent, now: () => NOON };
  return announceAll(ctx, new AbortController().signal);
}

test('an environment whose alerts could not be written stops no other, and fails the run', async () => {
  await expect(announced(new Error('a bug'))).rejects.toThrow('alerts could not be written for production, staging');
});

test('a store in trouble ends the run with its trouble', async () => {
  const trouble = new StoreTroubleError('not-answering');
  await expect(announced(trouble)).rejects.toBe(trouble);
});
