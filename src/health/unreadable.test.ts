import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { describeNight } from '../alerts/night.testing.ts';
import { alertmanagerTrouble } from '../alerts/pager.ts';
import { auditEntries } from '../audit/audit.ts';
import { changesSince } from '../changes/changes.ts';
import { noteIntegrations } from '../changes/integrations.ts';
import { workflowsIn } from '../changes/workflows.ts';
import { anEnvironment } from '../lib/environment.testing.ts';
import { heard } from '../lib/logger.testing.ts';
import { stored } from '../lib/text/shown-id.ts';
import { UNKNOWN_WORKSPACE } from '../lib/workspace.testing.ts';
import { claimHome } from '../slack/workspace/workspace.ts';
import { changeChannelId } from '../store/channel-id.ts';
import { erasedAmong } from '../store/erased.ts';
import { at, checkedTo, failureOf, reportDeploy, stretch } from '../store/examples.testing.ts';
import { claimKey, getValue, putValue, type Topic } from '../store/kv.ts';
import { maskStoredTexts } from '../store/masked-texts.ts';
import { exampleRows } from '../store/store.testing.ts';
import { storeCodeOf } from '../store/store-code.ts';
import { kv } from '../store/tables.ts';
import { channelEnvironment } from '../watches/channel-environment.ts';
import { sendHeartbeat } from './heartbeat.ts';
import { lastHeartbeat, noteHeartbeat } from './last-heartbeat.ts';
import { isReady, readinessOf } from './readiness.ts';
import { reportStatus } from './status.ts';
import { STORED_TABLES } from './stored.ts';
import { createUnreadable, logUnreadable, type ReadUnreadable, unreadableValues } from './unreadable.ts';

/** JSON that is stored in place of what a column describes. */
const TORN = [
  '"erased"', // a text where an object or a list was
  'null',
  '{"46": "00:46:erased.000Z"}', // a time of which a part was erased
];

/** Columns with JSON, and the rows that are damaged. */
const COLUMNS: readonly (readonly [column: string, where: string])[] = [
  ['environments.read_to', "environment = 'production'"],
  ['environments.problem', "environment = 'staging'"],
  ['gaps.unchecked', 'true'],
  ['outbreaks.shared', 'true'],
  ['slack_messages.content', 'true'],
  ['message_subjects.says', 'true'],
  ['alert_cursors.settings', "watch_id IN (SELECT id FROM watches WHERE channel = 'C0OTHERS')"],
  ['triggers.recipients', 'true'],
  ['watches.settings', "channel = 'C0OTHERS'"],
  ['watches.changes_to', 'true'],
  ['audit.change', 'true'],
  ['audit.outcome', 'true'],
  ['changes.what', 'true'],
  ['workflows.variables', 'true'],
];

/** The service says again what a workflow's variables are, and each pass which settings it used. */
const RENEWED = ['workflows.variables', 'alert_cursors.settings'];

describeNight("Stored data that can't be read", (night, store) => {
  const { log, logger } = heard();
  let readUnreadable: ReadUnreadable;
  beforeEach(() => {
    readUnreadable = createUnreadable(store().db);
  });
  const ctx = () => ({
    db: store().db,
    now: night.now,
    pollMs: 60_000,
    logger,
    environments: [anEnvironment(), anEnvironment({ name: 'staging' })] as const,
    isSlackConnected: () => true,
    slackCheck: { trouble: () => null, run: async () => {} },
    behind: () => [],
    lockTrouble: () => null,
    readFreeBytes: async () => null,
    readUnreadable,
    running: { version: '1', startedAt: at(0) },
    ...UNKNOWN_WORKSPACE,
    channels: { isPublic: async () => true },
    strangers: { trouble: () => null },
  });
  const readiness = async () => isReady(await readinessOf(ctx()));
  const findings = async () => (await reportStatus(ctx())).troubles.flatMap(({ about }) => about.map(({ id }) => id));

  async function fill(): Promise<void> {
    const { db } = store();
    for (const channel of ['C0OTHERS', 'C0ALERTS']) await night.watch({ hasChanges: true }, channel);
    await checkedTo(store(), at(1), stretch(at(-60), at(-30)));
    await db.write(sql`
      INSERT INTO environments (environment, covered_from, checked_to)
      VALUES ('staging', ${at(0)}, ${at(0)})`);
    await db.write(sql`
      INSERT INTO triggers (id, environment, workflow, recipients, claimed_at)
      VALUES ('t', 'production', 'w', '[]', ${at(1)})`);
    night.minutes = 1;
    await night.poll(failureOf('a'));
    const actor = { userId: 'U0ANN', channel: 'C1' };
    await reportDeploy(store(), { environment: 'production', name: 'v1', actor }, night.now());
    await night.wait(1);
  }

  /** A new failure is alerted where the watch can be read, and people get what they ask for. */
  async function everythingElseGoesOn(cause: string): Promise<void> {
    const { db } = store();
    night.minutes += 20;
    await night.poll(failureOf(cause));
    const posted = night
      .digests()
      .flatMap(({ channel, rows }) => rows.map(({ incident }) => [channel, incident.cause.text]));
    expect(posted).toContainEqual(['C0ALERTS', cause]);
    const query = { since: at(-60), environments: ['production'], olderThan: null, limit: 9 };
    await Promise.all([auditEntries(db, query), changesSince(db, query), workflowsIn(db, 'production')]);
  }

  test.each(COLUMNS)('is trouble at once, is named and kept, and stops nothing else: %s', async (column, where) => {
    await fill();
    const { db } = store();
    const [table = '', name = ''] = column.split('.');
    expect(await readiness()).toBe(true);
    let found = 0;
    for (const torn of TORN) {
      await db.write(sql`
        UPDATE ${sql.raw(table)}
        SET ${sql.raw(name)} = ${torn}::jsonb
        WHERE ${sql.raw(where)}`);
      const unreadable = await readUnreadable();
      // Some columns can hold one of these: there it isn't torn.
      if (unreadable.length === 0) continue;
      found += 1;
      expect(new Set(unreadable.map((value) => value.column))).toEqual(new Set([column]));
      // A column's values are all read by the same function: what one of them stops, all would.
      if (found > 1) continue;
      expect(await readiness()).toBe(false);
      expect(await findings()).toContain(`${column} ${unreadable[0]?.row}`);
      await everythingElseGoesOn(`failed as ${torn}`);
      const kept = RENEWED.includes(column) ? [] : [...unreadable];
      expect(await unreadableValues(db)).toEqual(expect.arrayContaining(kept));
    }
    expect(found).toBeGreaterThan(0);
  });

  test('is found after the change, however long its transaction lasted, and for as long as it stands', async ({
    skip,
  }) => {
    const { db, backUp } = store();
    skip(backUp !== undefined, 'an embedded database has one connection');
    await fill();
    await db.transaction(async (tx) => {
      await tx.write(`UPDATE gaps SET unchecked = 'null'`);
      await db.write('UPDATE environments SET clock_ahead_ms = 1');
      expect(await readUnreadable()).toEqual([]);
    });
    for (let readings = 0; readings < 2; readings += 1)
      expect(await readUnreadable()).toEqual([{ column: 'gaps.unchecked', row: expect.any(String) }]);
    await db.write('DELETE FROM gaps');
    expect(await readUnreadable()).toEqual([]);
  });

  const NO_INTEGRATIONS = { serviceEnvironmentId: 'e', integrations: [], isWhole: true };

  /** What reads or replaces the value about each topic. */
  const USES: Record<Exclude<Topic, 'unreadable' | 'sending'>, () => Promise<unknown>> = {
    alertmanager: () => alertmanagerTrouble(store().db),
    'channel-environment': () => channelEnvironment(store().db, 'C1'),
    'channel-id': () => changeChannelId(store().db, 'G1', 'C1'),
    erased: () => erasedAmong(store().db, ['one'], at(0)),
    integrations: () => noteIntegrations(store().db, 'production', NO_INTEGRATIONS, { from: at(1), to: at(2) }),
    interaction: () => claimKey(store().db, 'interaction:i', at(9)),
    'last-heartbeat': () => noteHeartbeat(store().db, { why: null, isWithheld: false, at: at(0) }),
    'masked-texts': () => maskStoredTexts(store().db, [{ name: 'none', maskBelow: async () => null }], () => false),
    mention: () => claimKey(store().db, 'mention:C1:1', at(9)),
    migrations: () => getValue(store().db, 'migrations', z.array(z.string())),
    replica: () => putValue(store().db, 'replica', { Value: z.literal(true), value: stored(true) }),
    'store-code': () => storeCodeOf(store().db),
    workspace: () => claimHome(store().db, { id: 'T1', name: 'Acme' }, false),
  };
  /** Of the topics that have many values: the key that is used. */
  const KEY_OF_TOPIC: Readonly<Record<string, string>> = {
    'channel-id': 'channel-id:G1',
    integrations: 'integrations:production',
    interaction: 'interaction:i',
    mention: 'mention:C1:1',
  };

  test.each(Object.entries(USES))('is kept even if what usually replaces it is stored: %s', async (topic, use) => {
    const { db } = store();
    const key = KEY_OF_TOPIC[topic] ?? topic;
    const [known] = await db.select().from(kv).where(eq(kv.key, key));
    for (const torn of TORN) {
      await db.write(sql`
        INSERT INTO kv (key, value)
        VALUES (${key}, ${torn}::jsonb)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value`);
      expect(await readUnreadable()).toContainEqual({ column: 'kv.value', row: key });
      await use();
      expect(await readiness()).toBe(false);
      const rows = await db.rows(
        z.object({ text: z.string() }),
        sql`SELECT value::text AS text FROM kv WHERE key LIKE ${`%${key}%`}`,
      );
      expect(rows.map(({ text }) => text)).toContain(torn);
    }
    await db.write(sql`DELETE FROM kv WHERE key LIKE ${`%${key}%`}`);
    if (known) await db.insert(kv).values(known);
  });

  test('is looked for in every table, and found in no store of the version before, nor in a newer one', async () => {
    const { db } = store();
    const tables = await db.rows(
      z.object({ name: z.string() }),
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`,
    );
    expect(STORED_TABLES.map(({ name }) => name).sort()).toEqual(tables.map(({ name }) => name).sort());
    await db.write('DELETE FROM environments');
    for (const statement of exampleRows()) await db.write(statement);
    await db.write(`UPDATE slack_messages SET kind = 'newer', content = '{"a": 1}'`);
    await db.write(sql`
      INSERT INTO audit (at, actor, change, outcome)
      VALUES (${at(0)}, 'U1', '{"action": "newer"}', '{"is": "done"}')`);
    expect(await unreadableValues(db)).toEqual([]);
  });

  test('withholds the heartbeat and is logged, until what was there is put back', async () => {
    await fill();
    const { db } = store();
    await db.write(`UPDATE gaps SET unchecked = '[{"from": "00:46:erased.000Z"}]'`);
    const calls: string[] = [];
    const beat = () => sendHeartbeat(ctx(), async () => `beat ${calls.push('beat')}`, new AbortController().signal);
    await beat();
    await logUnreadable(ctx());
    expect(calls).toEqual([]);
    expect(await lastHeartbeat(db)).toMatchObject({
      why: expect.stringContaining("stored data can't be read: gaps.unchecked"),
    });
    expect(log.at(-1)).toMatchObject({ fields: { values: 1, rows: [expect.stringMatching(/^gaps.unchecked /)] } });
    await db.write(`UPDATE gaps SET unchecked = '[]'`);
    expect(await readiness()).toBe(true);
  });
});
