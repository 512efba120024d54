import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandom } from '../../sandbox/service/random.ts';
import { silent } from '../../src/lib/logger.testing.ts';
import { type OpenDb, openDb } from '../../src/store/open.ts';
import { startPostgres } from '../support/postgres.ts';
import { type Combination, combinationOf, describeFailing, findFailing } from './combinations.ts';
import { delays } from './delays.ts';
import { ALL_SWITCHES, isSwitch, type Size, type Switch } from './world.ts';

/**
 * `npm run simulate`: plays random combinations of what can be difficult; `-- --seed 123 --switches ascending,kills` plays one again;
 * `-- --brief` plays smaller worlds; `-- --delays` says instead how late failures are found at some loads. Prints those that fail and what a combination costs. Exit code 1 where an account isn't exact, or a failure found too late.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    switches: { type: 'string' },
    events: { type: 'string' },
    combinations: { type: 'string' },
    seconds: { type: 'string' },
    delays: { type: 'boolean', default: false },
    brief: { type: 'boolean', default: false },
    /** `server` or `embedded`; the seed draws one by default, so that it's played again on the same. */
    store: { type: 'string' },
  },
});

if (values.delays) {
  const { table, isKept } = delays();
  console.log(table);
  process.exit(isKept ? 0 : 1);
}

interface Opened {
  database: OpenDb;
  close: () => Promise<void>;
}

const opened = new Map<string, Promise<Opened>>();

async function databaseOf(seed: number): Promise<OpenDb> {
  const store = values.store ?? (createRandom(seed).chance(0.5) ? 'server' : 'embedded');
  const found = opened.get(store) ?? (store === 'server' ? openServer() : openHere());
  opened.set(store, found);
  return (await found).database;
}

async function openServer(): Promise<Opened> {
  const server = await startPostgres();
  const database = await openDb({ kind: 'server', url: server.url }, { logger: silent });
  return { database, close: () => database.close().then(() => server.stop()) };
}

async function openHere(): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-simulation-'));
  const database = await openDb({ kind: 'embedded', folder }, { logger: silent });
  for (const setting of ['synchronous_commit', 'jit']) await database.db.write(`SET ${setting} = off`);
  return { database, close: () => database.close().then(() => rm(folder, { recursive: true, force: true })) };
}

/** Yields the named combination, or as many as wanted from a seed on. */
function* wanted(): Generator<Combination> {
  const { seed, switches, events, combinations, seconds, brief } = values;
  const first = Number(seed ?? '1');
  const size: Size = brief ? 'brief' : 'full';
  const named = switches === undefined ? null : switchesIn(switches);
  if (combinations === undefined && seconds === undefined && (seed !== undefined || named !== null)) {
    const [from = 0, to = Number.POSITIVE_INFINITY] = events?.split('-').map(Number) ?? [];
    const excerpt = events === undefined ? null : { from, to };
    yield { seed: first, switches: named ?? combinationOf(first).switches, excerpt, size };
    return;
  }
  const count = Number(combinations ?? (seconds === undefined ? 200 : Number.POSITIVE_INFINITY));
  for (let number = 0; number < count; number += 1) yield combinationOf(first + number, named ?? ALL_SWITCHES, size);
}

function switchesIn(text: string): readonly Switch[] {
  if (text === 'none') return [];
  if (text === 'all') return ALL_SWITCHES;
  return text.split(',').map((name) => {
    if (isSwitch(name)) return name;
    throw new Error(`There is no switch '${name}'. There are: ${ALL_SWITCHES.join(', ')}.`);
  });
}

const end = Date.now() + Number(values.seconds ?? Number.POSITIVE_INFINITY) * 1_000;
const cpu = process.cpuUsage();
let [played, failed] = [0, 0];
try {
  for (const combination of wanted()) {
    if (Date.now() >= end) break;
    played += 1;
    // One defect fails many combinations: only the first is shrunk.
    const failing = await findFailing(combination, await databaseOf(combination.seed), failed === 0);
    if (failing === null) continue;
    failed += 1;
    console.log(describeFailing(failing));
  }
} finally {
  for (const { close } of await Promise.all(opened.values())) await close();
}
const { user, system } = process.cpuUsage(cpu);
const each = ((user + system) / 1e6 / Math.max(1, played)).toFixed(2);
console.log(`${played} combinations played, ${failed} failed; ${each} s of CPU each, without the server's`);
process.exitCode = failed === 0 ? 0 : 1;
