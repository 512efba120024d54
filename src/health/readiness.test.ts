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

  test('unless nothing can be posted, the disk is full, a loop is behind, or nothing could be checked for five minutes', async () => {
    await checkedTo(store(), NOON);
    expect(isReady(await readinessOf(ctx()))).toBe(true);
    const unready = [
      { isSlackConnected: () => false },
      { readFreeBytes: async () => 2 ** 20 },
      { behind: () => [{ name: 'announce', label: 'Alerts' }] },
    ];
    for (const change of unready) expect(isReady(await readinessOf({ ...ctx(), ...change }))).toBe(false);
    await store().db.write('UPDATE environments SET failing_since = $1', [at(-6)]);
    const answer = { slack: true, store: true, readable: true, disk: true, checked: false, behind: [] };
    expect(await readinessOf(ctx())).toEqual(answer);
    const environments = [anEnvironment(), anEnvironment({ name: 'staging' })];
    expect(await readinessOf({ ...ctx(), environments })).toMatchObject({ checked: true });
    const slow = 'UPDATE environments SET failing_since = NULL, too_slow_since = $1, checked_to = $2';
    await store().db.write(slow, [at(-1), at(-12)]);
    const late = { ...answer, late: ['production by 12 min'] };
    expect(await readinessOf(ctx())).toEqual(late);
    expect(await readinessOf({ ...ctx(), environments })).toEqual({ ...late, checked: true });
    await store().db.write(slow, [at(-1), at(-5)]);
    expect(isReady(await readinessOf(ctx()))).toBe(true);
    const hangs = (text: string) => (/FROM kv/.test(text) ? Promise.resolve([{}]) : new Promise<never>(() => {}));
    const locked = ctxOn(dbAnswering(hangs));
    expect(await readinessOf(locked)).toEqual({ ...answer, store: false, checked: true });
    expect(sentences()).toEqual([]);
    const away = ctxOn(dbAnswering(() => Promise.reject(new StoreTroubleError('refused'))));
    expect(await readinessOf(away)).toEqual({ ...answer, store: false, checked: true });
    expect(sentences()).toContain("Database couldn't be asked whether Notif is ready");
  });
});
