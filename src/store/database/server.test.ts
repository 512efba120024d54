import pg from 'pg';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { newEmptyDatabase, silent } from '../store.testing.ts';
import { DatabaseUnavailableError } from './errors.ts';
import { guardedDatabase } from './guarded-database.ts';
import { MIGRATIONS } from './migrate.ts';
import { openServer } from './server.ts';

const One = z.object({ one: z.number() });

test('migrates once when three replicas start at once', async () => {
  const url = await newEmptyDatabase();
  const replicas = await Promise.all([1, 2, 3].map(() => openServer(url, silent)));
  const Version = z.object({ version: z.number() });
  expect(await replicas[0]?.rows(Version, 'SELECT version FROM migrations')).toEqual(
    MIGRATIONS.map(({ version }) => ({ version })),
  );
  await Promise.all(replicas.map((replica) => replica.close()));
});

test('names the connections of each replica, whatever name its address has', async () => {
  const url = new URL(await newEmptyDatabase());
  url.searchParams.set('application_name', 'ours');
  url.searchParams.set('connect_timeout', '5');
  const replicas = await Promise.all([1, 2].map(() => openServer(url.href, silent)));
  const Name = z.object({ name: z.string() });
  const names = await Promise.all(
    replicas.map(
      async (replica) => (await replica.rows(Name, "SELECT current_setting('application_name') AS name"))[0],
    ),
  );
  expect(new Set(names.map((one) => one?.name)).size).toBe(2);
  for (const one of names) expect(one?.name).toMatch(/^notif-/);
  await Promise.all(replicas.map((replica) => replica.close()));
});

test('continues after the server has cut all connections, and logs that', async () => {
  const url = await newEmptyDatabase();
  const warnings: string[] = [];
  const database = await openServer(url, { ...silent, warn: (_, sentence) => warnings.push(sentence) });
  await database.rows(One, 'SELECT 1 AS one');
  await cutConnections(url);
  await expect.poll(() => warnings).toContain('database connection lost');
  expect(await database.rows(One, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await database.close();
});

test('runs a probe on a new connection when the pooled one breaks', async () => {
  const database = await openServer(await newEmptyDatabase(), silent);
  const [pooled] = await database.rows(One, 'SELECT pg_backend_pid() AS one');
  const breaking = 'SELECT pg_terminate_backend($1), 1 AS one';
  expect(await database.probe(One, breaking, [pooled?.one ?? 0])).toEqual([{ one: 1 }]);
  await database.close();
});

test('sees in a transaction what others have committed meanwhile, whatever isolation its server begins with', async () => {
  const url = await newEmptyDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`ALTER DATABASE ${client.database} SET default_transaction_isolation = 'repeatable read'`);
  await client.query('CREATE TABLE counted (n integer)');
  await client.query('INSERT INTO counted VALUES (1)');
  const database = await openServer(url, silent);
  const N = z.object({ n: z.number() });
  const locked = await database.withTransaction(async (sql) => {
    await sql.rows(N, 'SELECT n FROM counted');
    await client.query('UPDATE counted SET n = 2');
    return sql.rows(N, 'SELECT n FROM counted FOR UPDATE');
  });
  expect(locked).toEqual([{ n: 2 }]);
  await Promise.all([client.end(), database.close()]);
});

test('rolls back and continues when its connection is cut within a transaction', async () => {
  const url = await newEmptyDatabase();
  const database = await openServer(url, silent);
  await database.executeSql('CREATE TABLE samples (text text)');
  const cut = database.withTransaction(async (sql) => {
    await sql.write("INSERT INTO samples VALUES ('lost')");
    await cutConnections(url);
    await sql.write("INSERT INTO samples VALUES ('lost too')");
  });
  await expect(cut).rejects.toThrow();
  expect((await database.executeSql('SELECT * FROM samples')).rows).toEqual([]);
  await database.close();
});

test('runs a transaction again that waited for another one in a circle, and logs that', async () => {
  const warnings: string[] = [];
  const database = await openServer(await newEmptyDatabase(), { ...silent, warn: (_, text) => warnings.push(text) });
  await database.executeSql('CREATE TABLE samples (name text, count integer)');
  await database.executeSql("INSERT INTO samples VALUES ('a', 0), ('b', 0)");
  let waiting = 2;
  let meet = () => {};
  const bothBegan = new Promise<void>((resolve) => {
    meet = resolve;
  });
  const counted = async (names: readonly string[]) =>
    database.withTransaction(async (sql) => {
      for (const name of names) {
        await sql.write('UPDATE samples SET count = count + 1 WHERE name = $1', [name]);
        waiting -= 1;
        if (waiting === 0) meet();
        await bothBegan;
      }
    });
  await Promise.all([counted(['a', 'b']), counted(['b', 'a'])]);
  expect((await database.executeSql('SELECT count FROM samples')).rows).toEqual([{ count: 2 }, { count: 2 }]);
  expect(warnings).toEqual(['transactions waited for each other, running one again']);
  await database.close();
});

test('explains that the server has no connection left, and continues once it has', async () => {
  const url = new URL(await newEmptyDatabase());
  const role = url.pathname.slice(1);
  await administer(url.href, `CREATE ROLE ${role} LOGIN PASSWORD 'limited'`, `ALTER DATABASE ${role} OWNER TO ${role}`);
  const limited = Object.assign(new URL(url), { username: role, password: 'limited' });
  const server = await openServer(limited.href, silent);
  const database = guardedDatabase(server, () => null);
  await administer(url.href, `ALTER ROLE ${role} CONNECTION LIMIT 1`);
  await database.withTransaction(async () => {
    const refused = database.rows(One, 'SELECT 1 AS one');
    await expect(refused).rejects.toMatchObject({ name: 'StoreTroubleError', trouble: 'not-answering' });
  });
  expect(await database.rows(One, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await database.close();
});

test("reports what to check when the server can't be opened, without its address", async () => {
  const opening = openServer('postgres://notif:s3cret@127.0.0.1:1/notif', silent);
  const error = await opening.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DatabaseUnavailableError);
  expect(String(error)).toContain('DATABASE_URL');
  expect(String(error)).not.toMatch(/s3cret|127\.0\.0\.1/);
});

async function administer(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

async function cutConnections(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  await client.end();
}
