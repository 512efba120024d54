import { expect, test } from 'vitest';
import { anEnvironment } from '../lib/environment.testing.ts';
import { at, NOON } from '../service/event.testing.ts';
import type { Db } from '../store/db.ts';
import { openDb } from '../store/open.ts';
import * as tables from '../store/schema.ts';
import { dbAnswering, describeStore, newDatabase, silent } from '../store/store.testing.ts';
import { UNFILTERED } from '../watches/settings.ts';
import { madeWatch } from '../watches/watches.testing.ts';
import { aHealth } from './health.testing.ts';
import {
  conditionOf,
  isNothingChecked,
  type ReadingCondition,
  replicasOf,
  reportStatus,
  type StatusCtx,
} from './status.ts';

function ctxWith(db: Db, logged: string[] = []): StatusCtx {
  const note = (_: object, sentence: string): void => void logged.push(sentence);
  return {
    environments: [anEnvironment(), { ...anEnvironment(), name: 'staging' }],
    db,
    channels: { isPublic: async (channel) => channel.startsWith('C') },
    slackStatus: () => ({ isConnected: true, trouble: null, lastTrouble: null }),
    behind: () => [],
    running: { version: '1.2.3', startedAt: at(-60) },
    pollMs: 60_000,
    logger: { debug: note, info: note, warn: note, error: note },
    now: () => NOON,
  };
}

describeStore('the status', (store) => {
  test('reports every configured environment, checked or not, and names no private channel', async () => {
    const { db } = store();
    const read = { environment: 'production', coveredFrom: at(-3_600), checkedTo: at(-10), lastSuccessAt: at(-10) };
    await db.insert(tables.environments).values(read);
    for (const channel of ['C1', 'G1']) {
      const { id } = await madeWatch(db, { channel, createdBy: 'U1', settings: UNFILTERED }, at(-60));
      await db.insert(tables.mutes).values({ watchId: id, mutedBy: 'U1', mutedAt: at(-60), until: at(60) });
    }
    const status = await reportStatus(ctxWith(db));
    expect(status.environments.map(({ environment, condition }) => `${environment.name} ${condition}`)).toEqual([
      'production fine',
      'staging not-read-yet',
    ]);
    const mute = { muted: 1, watches: 1, until: at(60) };
    expect(status.store).toMatchObject({
      backlog: { waiting: 0, oldest: null, oldestHeldUp: null },
      open: { firing: 0, critical: 0, unconfirmed: 0 },
      mutes: {
        mutes: [
          { channel: 'C1', ...mute },
          { channel: null, ...mute },
        ],
        mutedIncidents: 0,
      },
      trouble: null,
    });
  });
});

test("reports what it can while the database doesn't respond, and logs that", async () => {
  const logged: string[] = [];
  const status = await reportStatus(
    ctxWith(
      dbAnswering(() => Promise.reject(new Error('away'))),
      logged,
    ),
  );
  expect(status).toMatchObject({
    store: null,
    environments: [{ condition: 'unknown' }, { condition: 'unknown' }],
    slack: { isConnected: true },
  });
  expect(logged).toEqual(["Database couldn't be asked for the status"]);
});

test('nothing is checked where every environment has failed for more than five minutes', () => {
  const health = (failingSince: Date | null) => [
    aHealth({ failingSince: at(-301) }),
    aHealth({ environment: 'staging', failingSince }),
  ];
  const names = ['production', 'staging'];
  expect(isNothingChecked(health(at(-301)), names, NOON)).toBe(true);
  for (const since of [at(-300), null]) expect(isNothingChecked(health(since), names, NOON)).toBe(false);
  expect(isNothingChecked([], names, NOON)).toBe(false);
});

test('the processes that share a server are counted until they close', async () => {
  const url = await newDatabase();
  const open = () => openDb({ kind: 'server', url }, { logger: silent });
  const [first, second] = [await open(), await open()];
  expect([await replicasOf(first.db), await replicasOf(second.db)].at(-1)).toBe(2);
  await second.close();
  await expect.poll(() => replicasOf(first.db)).toBe(1);
  await first.close();
});

test.each<[ReadingCondition, Parameters<typeof aHealth>[0] | null]>([
  ['fine', {}],
  ['fine', { lastSuccessAt: at(-180), behindMs: 300_000 }],
  ['not-read-yet', null],
  ['not-read-yet', { lastSuccessAt: null }],
  ['failing', { failingSince: at(-30), problem: { kind: 'unreachable' } }],
  ['failing', { failingSince: at(-3_600), lastSuccessAt: at(-3_600), uncheckedMs: 1 }],
  ['silent', { lastSuccessAt: at(-181), lastPollAt: at(-181) }],
  ['fine', { lastSuccessAt: at(600) }],
  ['silent', { lastSuccessAt: at(601) }],
  ['catching-up', { openGaps: 1, uncheckedMs: 1, behindMs: 3_600_000 }],
  ['late', { behindMs: 300_001, unreadable: 1 }],
  ['incomplete', { unreadable: 1 }],
  ['incomplete', { notRecoveredMs: 1 }],
])('an environment is %s with %j', (condition, health) => {
  expect(conditionOf(health === null ? null : aHealth(health), 60_000, null, NOON)).toBe(condition);
});

test.each<[ReadingCondition, Parameters<typeof aHealth>[0] | null]>([
  ['fine', {}],
  ['waits-for-store', null],
  ['waits-for-store', { lastSuccessAt: null }],
  ['waits-for-store', { lastSuccessAt: at(-181) }],
  ['failing', { failingSince: at(-30), problem: { kind: 'unreachable' } }],
])('an environment is %s with %j while nothing can be stored', (condition, health) => {
  expect(conditionOf(health === null ? null : aHealth(health), 60_000, 'read-only', NOON)).toBe(condition);
});
