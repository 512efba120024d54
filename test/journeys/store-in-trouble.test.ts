import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { delivered, failed } from '../../sandbox/service/examples.ts';
import { administer } from '../../src/store/store.testing.ts';
import { type Line, layLine } from '../support/line.ts';
import { ONCALL } from '../support/person.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { openWorld, type World } from '../support/world.ts';

/** Causes of the planted failures, each of which is planted once. */
const WORDS = ['cat', 'dog', 'elk', 'fox'];

const NOT_READY = '503 {"slack":true,"store":false,"readable":true,"disk":true,"checked":true,"behind":[]}';
const READY = '200 {"slack":true,"store":true,"readable":true,"disk":true,"checked":true,"behind":[]}';

describe('a database server in trouble', () => {
  let world: World;
  let line: Line;
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ survivesKills: true });
    await administer(server.url, 'CREATE DATABASE notif');
    line = await layLine(server.url);
    const { port } = new URL(line.url);
    const DATABASE_URL = server.url.replace(
      /@.*/,
      `@127.0.0.1:${port}/notif?statement_timeout=1000&query_timeout=1500`,
    );
    world = await openWorld({ database: 'server', variables: { DATABASE_URL, NOTIF_POLL_SECONDS: '1' } });
    world.log.expects(/"class":"StoreTroubleError"/);
  });
  beforeEach(() => becomes(world, READY));
  afterEach(() => {
    expect(WORDS.filter((word) => posts(world, word) > 1)).toEqual([]);
  });
  afterAll(async () => {
    await world.close();
    await line.cut();
    await server.stop();
  });

  test('that accepts no writes still serves lookups, and refused commands say why; nothing is lost', async () => {
    const { ann } = world;
    onTestFinished(() => setReadOnly(server, 'off'));
    await setReadOnly(server, 'on');
    await becomes(world, NOT_READY);
    // A probe that isn't ready can also mean the connections that were cut.
    await world.log.until('database accepts no changes');
    fails(world, 'cat');
    expect((await ann.asks('/notif watch summary:09:00', ONCALL)).words).toContain(
      "Notif's database accepts no changes right now.",
    );
    expect((await ann.asks('/notif status')).words).toContain("Notif's database accepts no changes right now");
    await setReadOnly(server, 'off');
    await becomes(world, READY);
    await postIsStored(world, 'cat');
  });

  test('whose network goes silent during a transaction times out, and the transaction is recorded once', async () => {
    const { ann } = world;
    onTestFinished(() => line.resume());
    const isSilent = line.silenceAfter('INSERT INTO failures');
    fails(world, 'dog');
    await isSilent;
    await becomes(world, NOT_READY);
    line.resume();
    await becomes(world, READY);
    await ann.sees('“dog”', ONCALL);
  });

  test('that is killed and restarted loses and repeats nothing', async () => {
    const { ann } = world;
    fails(world, 'elk');
    await postIsStored(world, 'elk');
    onTestFinished(() => server.restart());
    await server.kill();
    fails(world, 'fox');
    await becomes(world, NOT_READY);
    await explainsItself(world);
    const { _id: id } = world.service.world.plantEvent(delivered());
    expect((await ann.asks(`/notif event ${id}`)).words).toContain('delivered');
    await server.restart();
    await becomes(world, READY);
    await ann.sees('“fox”', ONCALL);
  });
});

function fails({ service }: World, word: string): void {
  service.world.plantEvent(failed('email', { subscriber: word }, { raw: JSON.stringify({ message: word }) }));
}

/** Waits until the bot's readiness probe answers this. */
async function becomes({ log }: World, answer: string): Promise<void> {
  const readiness = async () => {
    const port = log.saying('Listening for health checks').at(-1)?.port;
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    return `${response.status} ${await response.text()}`;
  };
  await vi.waitFor(async () => expect(await readiness()).toBe(answer), { timeout: 60_000 });
}

/** Without its outcome the bot would look for the post, and go on with others only after half a minute. */
async function postIsStored({ ann, log }: World, word: string): Promise<void> {
  const { spot } = await ann.sees(`“${word}”`, ONCALL);
  const stored = () => log.saying('Message posted').map(({ ts }) => ts);
  await vi.waitFor(() => expect(stored()).toContain(spot.ts), { timeout: 60_000 });
}

/** Returns how often a failure was posted. */
const posts = ({ ann }: World, word: string): number =>
  ann.messages(ONCALL).filter(({ words }) => words.includes(`“${word}”`)).length;

/** Checks that commands say that the database isn't responding and what to do. */
async function explainsItself({ ann }: World): Promise<void> {
  const { words } = await ann.asks('/notif failures');
  expect(words).toContain("Notif's database isn't responding.");
  expect(words).toContain('Try again in a minute');
  expect((await ann.asks('/notif status')).words).toContain("database isn't responding");
  expect((await ann.asks('/notif help')).words).toContain('failures');
}

/** Changes the setting, which applies to new connections, and cuts the open ones. */
async function setReadOnly(server: PostgresServer, to: 'on' | 'off'): Promise<void> {
  await administer(
    server.url,
    `ALTER DATABASE notif SET default_transaction_read_only = ${to}`,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'notif'",
  );
}
