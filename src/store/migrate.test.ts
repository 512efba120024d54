import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { eq, getTableName, is, ne } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { expect, onTestFinished, test } from 'vitest';
import { silent } from '../lib/logger.testing.ts';
import { openSendings } from '../sendings/sending-rows.ts';
import { triggers } from '../sendings/tables.ts';
import { StoreUnusableError } from './errors.ts';
import cases from './migrate.cases.json' with { type: 'json' };
import { openDb } from './open.ts';
import {
  administer,
  connected,
  migrationTexts,
  newDatabase,
  newEmptyDatabase,
  rowsOfSchemas,
} from './store.testing.ts';
import { kv } from './tables.ts';

/** Databases have recorded these hashes. What a migration should have done is done by another one, with its rows in test/support/schemas. */
const FROZEN = cases.frozen;

const SRC = fileURLToPath(new URL('..', import.meta.url));
const files = readdirSync(SRC).map((noun) => `${SRC}${noun}/tables.ts`);
const modules: readonly object[] = await Promise.all(files.filter(existsSync).map((file) => import(file)));
const tables = modules.flatMap((module) => Object.values(module)).filter((value) => is(value, PgTable));

const migrations = migrationTexts();

/** Tables that schema 21 has no longer, or under another name. */
const GONE = { from: 21, tables: /^(INSERT INTO|UPDATE) (messages|alerts|incident_workflows) / };

/** Tables whose rows a migration made of what was stored. */
const FILLED = new Set([
  'outbreaks',
  'outbreak_workflows',
  'wordings',
  'slack_messages',
  'message_subjects',
  'watch_alerts',
  'alert_cursors',
  'timeline_cursors',
]);

test('A migration never changes', () => {
  expect(migrations.map((text) => createHash('sha256').update(text).digest('hex'))).toEqual(FROZEN);
});

// What a migration made of its rows can't change any more: the newest ones are tried, and the whole way.
const newest = FROZEN.length;
test.each([1, Math.ceil(newest / 2), newest - 1, newest])(
  'A database of schema %i is upgraded with all its rows',
  async (kept) => {
    const url = await newEmptyDatabase();
    const rows = rowsOfSchema(kept);
    await administer(url, ...migrations.slice(0, kept), rows);
    const { db, close } = await openDb({ kind: 'server', url }, { logger: silent });
    onTestFinished(close);
    for (const table of tables) {
      const name = getTableName(table);
      const isKept = FILLED.has(name) || rows.includes(`INSERT INTO ${name} `);
      expect(await db.select().from(table), name).toHaveLength(Number(isKept));
    }
  },
);

/** The rows of the first `kept` schemas, without those of tables that are gone by then. */
function rowsOfSchema(kept: number): string {
  const statements = rowsOfSchemas(kept).split(/(?<=;)\n/);
  return statements.filter((statement) => kept < GONE.from || !GONE.tables.test(statement)).join('\n');
}

test('A migration ends no transaction of a replica that waits for it, and runs after that', async () => {
  const url = await newEmptyDatabase();
  await administer(url, ...migrations.slice(0, 9), rowsOfSchemas(9));
  const [replica, another] = await Promise.all([connected(url), connected(url)]);
  const waits = async (table: string) => {
    const { rows } = await another.query('SELECT FROM pg_locks WHERE NOT granted AND relation = $1::regclass', [table]);
    return rows.length > 0;
  };
  await replica.query('BEGIN; SELECT FROM watches');
  await another.query('BEGIN; SELECT FROM incidents');
  const opening = openDb({ kind: 'server', url }, { logger: silent });
  await expect.poll(() => waits('incidents')).toBe(true);
  let isAnswered = false;
  const answered = replica.query('SELECT FROM alerts').finally(() => {
    isAnswered = true;
  });
  await expect.poll(async () => isAnswered || waits('alerts')).toBe(true);
  await another.query('COMMIT');
  await expect(answered).resolves.toBeDefined();
  await replica.query('COMMIT');
  await (await opening).close();
});

/** As the version before the table of sendings wrote them. */
const OLD_SENDINGS = `
  INSERT INTO kv (key, value) SELECT 'sending:' || id, jsonb_build_object(
    'id', id, 'incidentId', 29, 'environment', 'production', 'actor', 'U0ANN', 'startedAt', '2026-11-25T11:00:00Z', 'inARow', 2,
    'choices', '{"workflows":[],"isNewestOnly":false,"sendsTwice":true,"maxAgeMs":1,"limit":9}'::jsonb,
    'stopped', stopped, 'lastRefusal', NULL, 'endedAt', NULL
  ) FROM (VALUES ('run-2', NULL), ('run-3', '{"actor":"U0BEN"}'::jsonb)) AS old (id, stopped);
  INSERT INTO triggers (id, workflow, recipients, claimed_at, sending, incident_id, event_key, state)
  SELECT id, 'w', '[]', now(), sending, incident_id, event_key, state FROM (VALUES
    ('resend-29-a', 'run-2', 29, 'a', 'sent'), ('resend-30-a', 'run-3', 30, 'a', 'waiting'),
    ('resend-29-b', 'run-2', 29, 'b', 'waiting'), ('resend-30-b', 'run-3', 30, 'b', 'unclear'),
    ('resend-29-c', 'run-2', 29, 'c', 'waiting'), ('resend-30-d', 'run-3', 30, 'd', 'refused')
  ) AS old (id, sending, incident_id, event_key, state)`;

test('Sendings of the version before go on, and neither they nor a replica of that version send an event twice', async () => {
  const url = await newEmptyDatabase();
  await administer(url, ...migrations.slice(0, 16), rowsOfSchemas(16), OLD_SENDINGS);
  const { db, close } = await openDb({ kind: 'server', url }, { logger: silent });
  onTestFinished(close);
  const [open, stopped] = await openSendings(db);
  expect(open).toMatchObject({ id: 'run-2', environment: 'production', refusedInARow: 2, stoppedAt: null });
  expect(stopped).toMatchObject({ id: 'run-3', choices: { sendsTwice: true }, stoppedBy: 'U0BEN', endedAt: null });
  const rows = await db.select().from(triggers).where(ne(triggers.sending, 'run-1')).orderBy(triggers.id);
  expect(rows.map(({ id, environment, eventKey, state }) => [id, environment, eventKey, state])).toEqual([
    ['resend-29-a', 'production', 'a', 'sent'],
    ['resend-29-b', 'production', null, 'left-out'],
    ['resend-29-c', 'production', 'c', 'waiting'],
    ['resend-30-a', 'production', null, 'left-out'],
    ['resend-30-b', 'production', 'b', 'unclear'],
    ['resend-30-d', 'production', 'd', 'refused'],
  ]);
  await expect(db.write(OLD_SENDINGS.split(';')[1] ?? '')).rejects.toThrow('null value in column "environment"');
  const { value } = (await db.select().from(kv).where(eq(kv.key, 'sending:')))[0] ?? {};
  expect(value).toEqual({});
});

const LATER = `has schema ${FROZEN.length + 1} .* knows schema ${FROZEN.length}: start`;
test.each([
  [`value || '["a later migration"]'`, LATER],
  [`'"erased"'`, "the row 'migrations' of the table kv can't be read: put back"],
])('A database of a newer version, or whose version is unknown, is refused with what to do: %s', async (value, why) => {
  const url = await newDatabase();
  await administer(url, `UPDATE kv SET value = ${value} WHERE key = 'migrations'`);
  const refusal = await openDb({ kind: 'server', url }, { logger: silent }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(StoreUnusableError);
  expect(String(refusal)).toMatch(new RegExp(why));
});
