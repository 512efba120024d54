import { expect, test } from 'vitest';
import { environments, gaps } from '../coverage/tables.ts';
import { anEnvironment } from '../lib/environment.testing.ts';
import { StoreTroubleError } from '../lib/errors.ts';
import { heard, silent } from '../lib/logger.testing.ts';
import { DAY_MS } from '../lib/time/durations.ts';
import { slackMessages } from '../outbox/tables.ts';
import { NOON } from '../service/event.testing.ts';
import { statementError } from '../store/errors.ts';
import { at, failureOf, openedEnvironment, reading, record } from '../store/examples.testing.ts';
import { dbAnswering, dbWith } from '../store/store.testing.ts';
import { EVERYTHING } from '../watches/settings.ts';
import { announce, createAnnouncing } from './announce.ts';
import { describeNight } from './night.testing.ts';

const USUAL = {
  polls: { isRecording: (_environment: string) => false },
  pollMs: 60_000,
  horizonMs: DAY_MS,
  clock: { isSure: () => true },
  wakeOutbox: async () => {},
  logger: silent,
  now: () => NOON,
};

function announced(failure: Error, logger = silent) {
  const configured = ['production', 'staging'].map((name) => anEnvironment({ name }));
  // Of the statements, only the one that reads what is due is answered.
  const db = dbAnswering(async (text) => {
    const isOfDue = text.includes('announced_version') && !text.includes('behind_ms');
    if (isOfDue) return configured.map(({ name }) => [name, 1]);
    throw failure;
  });
  const run = createAnnouncing({ ...USUAL, db, environments: configured, logger });
  return run(new AbortController().signal);
}

const TOO_SLOW = statementError(Object.assign(new Error('canceling statement'), { code: '57014' }));

test.for([new Error('a bug'), TOO_SLOW])(
  'an environment whose alerts could not be written stops no other, and fails the run: %s',
  async (err) => {
    const { logger, log } = heard();
    await expect(announced(err, logger)).rejects.toMatchObject({
      message: '2 failed',
      cause: err,
    });
    const sentence = expect.stringMatching(/^Alerts couldn't be written/);
    const line = (environment: string) => ({ level: 'error', sentence, fields: { environment, err } });
    expect(log).toEqual([line('production'), line('staging')]);
  },
);

test('a store in trouble ends the run with its trouble', async () => {
  const trouble = new StoreTroubleError('not-answering');
  await expect(announced(trouble)).rejects.toBe(trouble);
});

describeNight('Announcing', (night, store) => {
  const announcing = (now: number, signal = new AbortController().signal) => {
    const { logger, log } = heard();
    const configured = ['production', 'staging', 'preview'].map((name) => anEnvironment({ name }));
    const polls = { isRecording: (environment: string) => environment === 'staging' };
    const ctx = { ...USUAL, polls, db: store().db, environments: configured, pollMs: 600_000, logger };
    return createAnnouncing({ ...ctx, now: () => at(now) })(signal).then(() => log);
  };
  /** When each environment was announced, and how many of its versions weren't yet. */
  const announcedOf = async () => {
    const rows = await store().db.select().from(environments).orderBy(environments.environment);
    return rows.map(({ announcedAt, version, announcedVersion }) => [announcedAt, version - announcedVersion]);
  };

  test('alerts each minute to what the watch covers of configured environments that aren’t being recorded', async () => {
    const watch = await night.watch({ filter: { ...EVERYTHING, environments: ['production', 'staging', 'retired'] } });
    for (const environment of ['production', 'staging', 'retired', 'preview']) {
      await openedEnvironment(store(), environment);
      await record(store(), environment, reading({ failures: [failureOf('a')] }), at(0));
    }
    const gap = { environment: 'preview', beginsAt: at(-30), cause: 'unreachable', openedAt: at(-30) } as const;
    await store().db.insert(gaps).values(gap);
    expect(await announcing(0, AbortSignal.abort())).toEqual([]);
    const log = await announcing(0);
    const messageId = (await store().db.select().from(slackMessages))[0]?.id;
    const fields = { environment: 'production', watchId: watch.id, messageId };
    expect(log).toEqual([{ level: 'info', sentence: 'Digest written', fields }]);
    const pending = [null, 1];
    expect(await announcedOf()).toEqual([[at(0), 0], [at(0), 0], pending, pending]);
    expect(await announcing(0.9)).toEqual([]);
    expect(await announcing(1)).toEqual([]);
    expect(await announcedOf()).toEqual([[at(1), 0], [at(1), 0], pending, pending]);
  });

  test('waits at most ten seconds for polls that follow one another', async () => {
    await record(store(), await openedEnvironment(store()), reading({ failures: [failureOf('a')] }), at(0));
    let minute = 0;
    const polls = { isRecording: () => true };
    const ctx = { ...USUAL, polls, db: store().db, environments: [anEnvironment()], pollMs: 5_000 };
    const run = createAnnouncing({ ...ctx, now: () => at(minute) });
    const announcedAt: unknown[] = [];
    for (minute of [0, 0.1, 0.2, 0.3]) {
      await run(new AbortController().signal);
      announcedAt.push((await announcedOf())[0]?.[0]);
    }
    expect(announcedAt).toEqual([null, null, at(0.2), at(0.2)]);
  });

  test('goes on after a watch that it fails at, names it, and fails in the end', async () => {
    const { id: odd } = await night.watch({ hasAllClear: true });
    const { id: other } = await night.watch();
    await record(store(), 'production', reading({ failures: [failureOf('a')] }), at(0));
    const { logger, log } = heard();
    const { db } = store();
    // What the pass writes last about a watch.
    await db.write(`ALTER TABLE alert_cursors ADD CONSTRAINT odd CHECK (watch_id <> '${odd}')`);
    const announcing = announce({ ...night.ctx, logger }, 'production');
    await expect(announcing.finally(() => db.write('ALTER TABLE alert_cursors DROP CONSTRAINT odd'))).rejects.toThrow(
      '1 failed',
    );
    expect(log).toMatchObject([
      { level: 'error', fields: { watchId: odd } },
      { level: 'info', fields: { watchId: other } },
    ]);
  });

  test('posts nothing for a watch that ends meanwhile', async () => {
    await night.watch();
    await record(store(), 'production', reading({ failures: [failureOf('a')] }), at(0));
    const { db } = store();
    const ending = dbWith(db, {
      transaction: (work) => db.write('UPDATE watches SET ended_at = now()').then(() => db.transaction(work)),
    });
    await announce({ ...night.ctx, db: ending }, 'production');
    expect(await db.select().from(slackMessages)).toEqual([]);
  });
});
