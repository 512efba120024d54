import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { StoreTroubleError } from '../lib/errors.ts';
import { newGate } from '../lib/gate.testing.ts';
import { silent } from '../lib/logger.testing.ts';
import type { Db } from './db.ts';
import { StoreUnusableError } from './errors.ts';
import { openDb } from './open.ts';
import { startPooler } from './pooler.testing.ts';
import { administer, connected, cutConnections, newDatabase, newEmptyDatabase } from './store.testing.ts';
import { storeTrouble } from './trouble.ts';

const One = z.object({ one: z.number() });

async function open(url: string, logger = silent): Promise<Db> {
  const { db, close } = await openDb({ kind: 'server', url }, { logger });
  onTestFinished(close);
  return db;
}

test('a store on a server migrates once when three replicas start at once', async () => {
  const url = await newEmptyDatabase();
  const [replica] = await Promise.all([1, 2, 3].map(() => open(url)));
  expect(await replica?.rows(z.unknown(), "SELECT 1 FROM kv WHERE key = 'migrations'")).toHaveLength(1);
});

test('a store on a server continues after it has cut all connections, and logs that', async () => {
  const url = await newDatabase();
  const warnings: unknown[] = [];
  const db = await open(url, { ...silent, warn: (...warning) => warnings.push(warning) });
  await db.rows(One, 'SELECT 1 AS one');
  await cutConnections(url);
  const lost = [{ err: expect.any(StoreTroubleError) }, 'Database connection lost'];
  await expect.poll(() => warnings).toContainEqual(lost);
  expect(await db.rows(One, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test.each(['transaction', 'statement'] as const)(
  'a store behind a pooler in %s mode says so, and what to set',
  async (mode) => {
    const url = await startPooler(await newEmptyDatabase(), mode);
    const words = new RegExp(`pooler in ${mode} mode.* Set its session mode \\(PgBouncer: pool_mode = session\\)`);
    await expect(open(url)).rejects.toThrow(words);
  },
);

test('a store behind a pooler that refuses a parameter of the address names it, and what to set', async () => {
  const url = await startPooler(await newEmptyDatabase(), 'transaction');
  const words = /refuses options in DATABASE_URL: .* ignore_startup_parameters/;
  await expect(open(`${url}?options=-c%20idle_session_timeout%3D0`)).rejects.toThrow(words);
});

test.each([
  [
    'an encoding',
    "ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0",
    '',
    /its encoding LATIN1 .* create one with ENCODING 'UTF8'/,
  ],
  ['a read-only role', '', 'SET default_transaction_read_only = on', /default_transaction_read_only is on: reset it/],
  ['no cascades', '', 'SET session_replication_role = replica', /session_replication_role is replica: reset it/],
])('a store on a server is refused in words because of %s', async (_, options, change, words) => {
  const server = await newEmptyDatabase();
  const name = `notif_${randomUUID().replaceAll('-', '')}`;
  await administer(server, `CREATE DATABASE ${name} ${options}`);
  if (change) await administer(server, `ALTER DATABASE ${name} ${change}`);
  await expect(open(server.replace(/[^/]*$/, name))).rejects.toThrow(words);
});

test('a store on a server is refused in words because of a closed schema and few connections', async () => {
  const url = await newEmptyDatabase();
  const user = `notif_${randomUUID().replaceAll('-', '')}`;
  const limited = `CREATE ROLE ${user} LOGIN PASSWORD 'secret' CONNECTION LIMIT 10`;
  await administer(url, limited, 'REVOKE USAGE ON SCHEMA public FROM public');
  const words = /GRANT USAGE, CREATE ON SCHEMA public to the user; its CONNECTION LIMIT is 10/;
  await expect(open(Object.assign(new URL(url), { username: user, password: 'secret' }).href)).rejects.toThrow(words);
});

test.each([
  ['its login', (user: string) => `ALTER ROLE ${user} NOLOGIN`],
  ['a right', (user: string) => `REVOKE SELECT ON kv FROM ${user}`],
])('a store on a server says that the database refuses %s', async (_, change) => {
  const url = await newDatabase();
  const user = `notif_${randomUUID().replaceAll('-', '')}`;
  await administer(
    url,
    `CREATE ROLE ${user} LOGIN PASSWORD 'secret'`,
    `GRANT ALL ON ALL TABLES IN SCHEMA public TO ${user}`,
  );
  const db = await open(Object.assign(new URL(url), { username: user, password: 'secret' }).href);
  expect(await storeTrouble(db)).toBeNull();
  await administer(url, change(user));
  await cutConnections(url);
  await expect.poll(() => storeTrouble(db)).toBe('refused');
  await administer(url, `DROP OWNED BY ${user}; DROP ROLE ${user}`);
});

test('a store on a server sees in a transaction what others have committed meanwhile, whatever isolation that begins with', async () => {
  const url = await newEmptyDatabase();
  const client = await connected(url);
  await client.query(`ALTER DATABASE ${client.database} SET default_transaction_isolation = 'repeatable read'`);
  await client.query('CREATE TABLE counted (n integer)');
  await client.query('INSERT INTO counted VALUES (1)');
  const db = await open(url);
  const N = z.object({ n: z.number() });
  const locked = await db.transaction(async (tx) => {
    await tx.rows(N, 'SELECT n FROM counted');
    await client.query('UPDATE counted SET n = 2');
    return tx.rows(N, 'SELECT n FROM counted FOR UPDATE');
  });
  expect(locked).toEqual([{ n: 2 }]);
});

test('a store on a server rolls back and continues when its connection is cut within a transaction', async () => {
  const url = await newDatabase();
  const db = await open(url);
  await db.write('CREATE TABLE samples (text text)');
  const cut = db.transaction(async (tx) => {
    await tx.write("INSERT INTO samples VALUES ('lost')");
    await cutConnections(url);
    await tx.write("INSERT INTO samples VALUES ('lost too')");
  });
  await expect(cut).rejects.toMatchObject({ name: 'StoreTroubleError', trouble: 'not-answering' });
  expect(await db.rows(z.unknown(), 'SELECT * FROM samples')).toEqual([]);
});

test('a store on a server runs a transaction again that waited for another one in a circle, and logs that', async () => {
  const warnings: string[] = [];
  const url = await newDatabase();
  await administer(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET deadlock_timeout = '50ms'`);
  const db = await open(url, { ...silent, warn: (_, text) => warnings.push(text) });
  await db.write('CREATE TABLE samples (name text, count integer)');
  await db.write("INSERT INTO samples VALUES ('a', 0), ('b', 0)");
  let waiting = 2;
  const [bothBegan, otherIsDone] = [newGate(), newGate()];
  const counted = async (names: readonly string[]) => {
    let runs = 0;
    await db.transaction(async (tx) => {
      // If it ran again at once, both transactions could wait for each other in a circle again.
      if (runs++ > 0) await otherIsDone.opened;
      for (const name of names) {
        await tx.write('UPDATE samples SET count = count + 1 WHERE name = $1', [name]);
        waiting -= 1;
        if (waiting === 0) bothBegan.open();
        await bothBegan.opened;
      }
    });
    otherIsDone.open();
  };
  await Promise.all([counted(['a', 'b']), counted(['b', 'a'])]);
  expect(await db.rows(z.unknown(), 'SELECT count FROM samples')).toEqual([{ count: 2 }, { count: 2 }]);
  expect(warnings).toEqual(['Transactions waited for each other, running one again']);
});

test('a store on a server runs a statement again whose table a newer replica changed, and logs that', async () => {
  const warnings: string[] = [];
  const url = await newDatabase();
  const db = await open(url, { ...silent, warn: (_, text) => warnings.push(text) });
  const samples = () => db.rows(z.unknown(), 'SELECT * FROM samples');
  const added = () => db.transaction((tx) => tx.rows(z.unknown(), 'INSERT INTO samples VALUES (1) RETURNING *'));
  await db.write('CREATE TABLE samples (count integer)');
  // Each on a connection of its own, which has its plans.
  await Promise.all(Array.from({ length: 4 }, () => added().then(samples)));
  await administer(url, 'ALTER TABLE samples ADD COLUMN name text');
  expect(await samples()).toEqual(Array(4).fill({ count: 1, name: null }));
  await Promise.all(Array.from({ length: 4 }, added));
  expect(await samples()).toHaveLength(8);
  expect(new Set(warnings)).toEqual(new Set(['A newer replica changed a table, running a statement again']));
});

test('a store on a server that accepts no writes, or whose disk is full, reports that, and so does a write that is refused there', async () => {
  const url = await newDatabase();
  const db = await open(url);
  const full = "DO $$ BEGIN RAISE 'No space left on device' USING ERRCODE = 'disk_full'; END $$";
  await expect(db.write(full)).rejects.toMatchObject({ trouble: 'read-only' });
  expect(await storeTrouble(db)).toBe('read-only');
  await db.transaction((tx) => tx.write('SELECT 1'));
  expect(await storeTrouble(db)).toBeNull();
  const { pathname } = new URL(url);
  await administer(url, `ALTER DATABASE ${pathname.slice(1)} SET default_transaction_read_only = on`);
  await cutConnections(url);
  await expect.poll(() => storeTrouble(db)).toBe('read-only');
  const refused = db.write("INSERT INTO kv (key, value) VALUES ('a', '1')");
  await expect(refused).rejects.toMatchObject({ name: 'StoreTroubleError', trouble: 'read-only' });
});

test('a store on a server ends when its tables are gone: the next start makes them again', async () => {
  const url = await newDatabase();
  const lost: Error[] = [];
  const options = { logger: silent, onLost: (reason: Error) => void lost.push(reason) };
  const { db, close } = await openDb({ kind: 'server', url }, options);
  await administer(url, 'DROP SCHEMA public CASCADE', 'CREATE SCHEMA public');
  expect(await storeTrouble(db)).toBe('damaged');
  expect(lost).toMatchObject([{ trouble: 'damaged', cause: { message: 'relation kv does not exist' } }]);
  await close();
  await (await openDb({ kind: 'server', url }, { logger: silent })).close();
});

test('a store on a server whose user lacks a right says so, and one without the database names that', async () => {
  const url = new URL(await newDatabase());
  const role = `role_${randomUUID().replaceAll('-', '')}`;
  await administer(
    `${url}`,
    `CREATE ROLE ${role} LOGIN PASSWORD 'p'`,
    `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`,
  );
  onTestFinished(() => administer(`${url}`, `DROP OWNED BY ${role}`, `DROP ROLE ${role}`));
  const as = (address: URL) => Object.assign(new URL(address), { username: role, password: 'p' });
  await expect(open(`${as(url)}`)).rejects.toThrow("its user can't write Notif's tables: make it their owner");
  await expect(open(`${as(new URL(await newEmptyDatabase()))}`)).rejects.toThrow('lacks a right: make it the owner');
  await expect(open(`${Object.assign(new URL(url), { pathname: '/nowhere' })}`)).rejects.toThrow(
    'has no database of that name',
  );
  const stranger = Object.assign(as(url), { password: 'other' });
  await expect(open(`${stranger}`)).rejects.toThrow('refuses the login: check its user and password');
});

test("a store on a server that can't be opened reports what to check, without its address", async () => {
  const opening = openDb({ kind: 'server', url: 'postgres://notif:s3cret@127.0.0.1:1/notif' }, { logger: silent });
  const error = await opening.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StoreUnusableError);
  expect(String(error)).toContain('DATABASE_URL');
  expect(String(error)).not.toMatch(/s3cret|127\.0\.0\.1/);
});
