import { expect, test } from 'vitest';
import { StoreTroubleError } from '../domain/health/store-trouble.ts';
import { NOON } from '../domain/service/event.testing.ts';
import type { Db } from '../store/db.ts';
import { silent } from '../store/store.testing.ts';
import { announceAll } from './announce.ts';

function announced(failure: Error) {
  const due = [
    { environment: 'production', news: 1 },
    { environment: 'staging', news: 1 },
  ];
  const fail = () => Promise.reject(failure);
  const rows = (_: unknown, text: string) => (text.includes('announced_news') ? Promise.resolve(due) : fail());
  const db: Db = Object.assign(Object.create(null), { rows, write: fail, transaction: fail });
  const environments = ['production', 'staging'];
  const ctx = { db, environments, isRecording: () => false, pollMs: 60_000, logger: silent, now: () => NOON };
  return announceAll(ctx, new AbortController().signal);
}

test('an environment whose alerts could not be written stops no other, and fails the run', async () => {
  await expect(announced(new Error('a bug'))).rejects.toThrow('alerts could not be written for production, staging');
});

test('a store in trouble ends the run with its trouble', async () => {
  const trouble = new StoreTroubleError('not-answering');
  await expect(announced(trouble)).rejects.toBe(trouble);
});
