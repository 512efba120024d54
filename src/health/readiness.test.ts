import { expect, test } from 'vitest';
import { anEnvironment } from '../lib/environment.testing.ts';
import { StoreTroubleError } from '../lib/errors.ts';
import { heard } from '../lib/logger.testing.ts';
import type { Db } from '../store/db.ts';
import { at, checkedTo, NOON } from '../store/examples.testing.ts';
import { dbAnswering, describeStore } from '../store/store.testing.ts';
import { isReady, readinessOf } from './readiness.ts';
import { createUnreadable } from './unreadable.ts';

describeStore('Notif is ready', (store) => {
  const { logger, sentences } = heard();
  const ctxOn = (db: Db) => ({
    db,
    logger,
    environments: [anEnvironment()],
    isSlackConnected: () => true,
    readFreeBytes: async (): Promise<number | null> => null,
    behind: () => [],
    readUnreadable: createUnreadable(db),
    pollMs: 60_000,
    now: () => NOON,
  });
  const ctx = () => ctxOn(store().db);

  const READY = { slack: true, store: true, readable: true, disk: true, checked: true, behind: [] };
  const TWO_ENVIRONMENTS = [anEnvironment(), anEnvironment({ name: 'staging' })];

  test('unless nothing can be posted, the disk is full or a loop is behind', async () => {
    await checkedTo(store(), NOON);
    expect(isReady(await readinessOf(ctx()))).toBe(true);
    const unready = [
      { isSlackConnected: () => false },
      { readFreeBytes: async () => 2 ** 20 },
      { behind: () => [{ name: 'announce', label: 'Alerts' }] },
    ];
    for (const change of unready) expect(isReady(await readinessOf({ ...ctx(), ...change }))).toBe(false);
  });

  test('unless every environment has failed for more than five minutes', async () => {
    await checkedTo(store(), NOON);
    await store().db.write('UPDATE environments SET failing_since = $1', [at(-6)]);
    expect(await readinessOf(ctx())).toEqual({ ...READY, checked: false });
    expect(await readinessOf({ ...ctx(), environments: TWO_ENVIRONMENTS })).toEqual(READY);
  });

  test('unless every environment is checked too slowly, and names those that are', async () => {
    await checkedTo(store(), NOON);
    const slow = 'UPDATE environments SET too_slow_since = $1, checked_to = $2';
    await store().db.write(slow, [at(-1), at(-12)]);
    const late = ['production by 12 min'];
    expect(await readinessOf(ctx())).toEqual({ ...READY, checked: false, late });
    expect(await readinessOf({ ...ctx(), environments: TWO_ENVIRONMENTS })).toEqual({ ...READY, late });
    await store().db.write(slow, [at(-1), at(-5)]);
    expect(isReady(await readinessOf(ctx()))).toBe(true);
  });

  test('unless its database hangs, or is away, which is logged', async () => {
    const answersOnlyForKv = (text: string) =>
      /FROM kv/.test(text) ? Promise.resolve([{}]) : new Promise<never>(() => {});
    expect(await readinessOf(ctxOn(dbAnswering(answersOnlyForKv)))).toEqual({ ...READY, store: false });
    expect(sentences()).toEqual([]);
    const away = ctxOn(dbAnswering(() => Promise.reject(new StoreTroubleError('refused'))));
    expect(await readinessOf(away)).toEqual({ ...READY, store: false });
    expect(sentences()).toContain("Database couldn't be asked whether Notif is ready");
  });
});
