import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { failed } from '../../sandbox/notification-service/examples.ts';
import { StoreTroubleError } from '../../src/domain/health/store-trouble.ts';
import { startInTrouble } from '../../src/store/database/embedded/in-trouble.testing.ts';
import { type Line, layLine } from '../support/line.ts';
import { ONCALL } from '../support/person.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { openWorld, type World } from '../support/world.ts';

/** The errors that belong to a database that can't be used. */
const EXPECTED = [
  /store in trouble/,
  /job/,
  /could not be answered/,
  /database could not be asked for the status/,
  /delivery|deliver/,
  /"class":"StoreTroubleError"/,
];

/** Short enough to detect trouble quickly, and long enough for a statement on a busy machine. */
const BOUNDS = { statementMs: 3_000, probeMs: 2_000, lookMs: 100, lookAgainMs: 100 };

/** Milliseconds: longer than any test. */
const AN_HOUR = 3_600_000;

/** Subscribers of the planted failures. Each test about a server uses one or two. */
const WORDS = ['ape', 'bee', 'cat', 'dog', 'elk', 'fox'];

const NOT_READY = '503 {"slack":true,"store":false,"disk":true}';
const READY = '200 {"slack":true,"store":true,"disk":true}';

describe('a database server in trouble', () => {
  let world: World;
  let line: Line;
  let server: PostgresServer;
  /** How many times the store was in trouble before the test. */
  let earlier = 0;
  beforeAll(async () => {
    server = await startPostgres({ survivesKills: true });
    await administer(server, 'CREATE DATABASE notif');
    line = await layLine(server.url);
    const { port } = new URL(line.url);
    const DATABASE_URL = server.url.replace(/@.*/, `@127.0.0.1:${port}/notif`);
    world = await openWorld({ database: 'server', variables: { DATABASE_URL }, storeParts: { bounds: BOUNDS } });
    for (const sentence of EXPECTED) world.log.expects(sentence);
  });
  beforeEach(async () => {
    await vi.waitFor(async () => expect(await readiness(world)).toBe(READY), { timeout: 60_000 });
    earlier = world.log.saying('store in trouble').length;
  });
  afterEach(() => {
    expect(WORDS.filter((word) => posts(world, word) > 1)).toEqual([]);
  });
  afterAll(async () => {
    await world.close();
    await line.cut();
    await server.stop();
  });

  test('that is cut off makes the bot not ready, is reported by commands, and loses nothing', async () => {
    const { ann, log } = world;
    fails(world, 'ape');
    await ann.sees('for ape', ONCALL);
    onTestFinished(() => line.restore());
    await line.cut();
    fails(world, 'bee');
    await log.until('store in trouble', earlier + 1);
    expect(await readiness(world)).toBe(NOT_READY);
    await explainsItself(world);
    await line.restore();
    await worksAgain(world, earlier + 1);
    await ann.sees('for bee', ONCALL);
  });

  test('that accepts no writes still serves lookups, and refused commands say why; nothing is lost', async () => {
    const { ann, log } = world;
    onTestFinished(() => setReadOnly(server, 'off'));
    await setReadOnly(server, 'on');
    await log.until('store in trouble', earlier + 1);
    fails(world, 'cat');
    expect(await readiness(world)).toBe(NOT_READY);
    expect((await ann.asks('/notif watch', ONCALL)).words).toContain("Notif's database accepts no changes right now.");
    expect((await ann.asks('/notif status')).words).toContain("Notif's database accepts no changes right now");
    await setReadOnly(server, 'off');
    await worksAgain(world, earlier + 1);
    await ann.sees('for cat', ONCALL);
  });

  test('whose network goes silent during a transaction times out, and the transaction is recorded once', async () => {
    const { ann, log } = world;
    onTestFinished(() => line.resume());
    const isSilent = line.silenceAfter('INSERT INTO failures');
    fails(world, 'dog');
    await isSilent;
    const since = Date.now();
    await log.until('store in trouble', earlier + 1);
    expect(Date.now() - since).toBeLessThan(BOUNDS.statementMs + BOUNDS.probeMs);
    expect(await readiness(world)).toBe(NOT_READY);
    await explainsItself(world);
    line.resume();
    await worksAgain(world, earlier + 1);
    await ann.sees('for dog', ONCALL);
  });

  test('that is killed and restarted loses and repeats nothing', async () => {
    const { ann, log } = world;
    fails(world, 'elk');
    await ann.sees('for elk', ONCALL);
    onTestFinished(() => server.restart());
    await server.kill();
    fails(world, 'fox');
    await log.until('store in trouble', earlier + 1);
    expect(await readiness(world)).toBe(NOT_READY);
    await explainsItself(world);
    await server.restart();
    await worksAgain(world, earlier + 1);
    await ann.sees('for fox', ONCALL);
  });
});

describe('an embedded database in trouble', () => {
  let folder: string;
  let world: World;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'notif-hang-'));
    await writeFile(join(folder, 'disk'), '');
    const startThread = () => startInTrouble(join(folder, 'disk'));
    world = await openWorld({ database: 'embedded', storeParts: { bounds: BOUNDS, startThread } });
    for (const sentence of [...EXPECTED, /The process would end here/]) world.log.expects(sentence);
  });
  afterAll(async () => {
    await writeFile(join(folder, 'disk'), '');
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('that hangs makes the bot not ready, is reported by commands, and ends the process; the next process loses nothing', async () => {
    const { ann, log } = world;
    fails(world, 'gnu');
    await ann.sees('for gnu', ONCALL);
    onTestFinished(() => writeFile(join(folder, 'disk'), ''));
    await writeFile(join(folder, 'disk'), String(AN_HOUR));
    fails(world, 'hen');
    await log.until('store in trouble');
    expect(await readiness(world)).toBe(NOT_READY);
    await explainsItself(world);
    expect(log.saying('The process would end here')).toEqual([]);
    world.passes(90_000);
    await log.until('The process would end here');
    expect(JSON.stringify(log.saying('The process would end here'))).toContain("Notif's database isn't responding.");
    expect(log.saying('store in trouble')).toHaveLength(1);
    await expect(world.stop()).rejects.toThrow(StoreTroubleError);
    await writeFile(join(folder, 'disk'), '');
    await world.start();
    await ann.sees('for hen', ONCALL);
    expect(['gnu', 'hen'].map((word) => posts(world, word))).toEqual([1, 1]);
  });
});

function fails({ service }: World, word: string): void {
  service.world.plantEvent(failed('email', { subscriber: word }, { raw: JSON.stringify({ message: word }) }));
}

async function readiness({ log }: World): Promise<string> {
  const port = log.saying('Listening for health checks').at(-1)?.port;
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  return `${answer.status} ${await answer.text()}`;
}

/** Returns how often a failure was posted. */
const posts = ({ ann }: World, word: string): number =>
  ann.messages(ONCALL).filter(({ words }) => words.includes(`for ${word}\n`)).length;

/** Checks that commands say that the database isn't responding and what to do. */
async function explainsItself({ ann }: World): Promise<void> {
  const { words } = await ann.asks('/notif failures');
  expect(words).toContain("Notif's database isn't responding.");
  expect(words).toContain('Try again in a minute.');
  expect((await ann.asks('/notif status')).words).toContain("the database isn't responding");
  expect((await ann.asks('/notif help')).words).toContain('/notif failures');
}

/** Checks that the store works again, and that the log has one line for the beginning of each trouble and one for its end. */
async function worksAgain(world: World, troubles: number): Promise<void> {
  await world.log.until('store out of trouble', troubles);
  expect(await readiness(world)).toBe(READY);
  expect(world.log.saying('store in trouble')).toHaveLength(troubles);
}

async function administer({ url }: PostgresServer, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Changes the setting, which applies to new connections, and cuts the open ones. */
async function setReadOnly(server: PostgresServer, to: 'on' | 'off'): Promise<void> {
  await administer(
    server,
    `ALTER DATABASE notif SET default_transaction_read_only = ${to}`,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'notif'",
  );
}
