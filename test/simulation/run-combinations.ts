import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createRandom } from '../../sandbox/service/random.ts';
import { type OpenDb, openDb } from '../../src/store/open.ts';
import { startPostgres } from '../support/postgres.ts';
import { combinationOf, describeFailing, findFailing } from './combinations.ts';
import { openHere } from './engine-here.ts';
import type { Combination } from './shrink.ts';
import { silent } from './silent.ts';
import type { Excerpt } from './story.ts';
import { ALL_SWITCHES, isSwitch, type Size, type Switch } from './world.ts';

export interface CombinationsOptions {
  readonly seed?: string | undefined;
  readonly switches?: string | undefined;
  readonly events?: string | undefined;
  readonly combinations?: string | undefined;
  readonly seconds?: string | undefined;
  readonly progress?: string | undefined;
  readonly brief?: boolean | undefined;
  readonly store: string;
}

const COMBINATIONS = 200;

/**
 * Plays combinations, and prints those that fail and what a combination costs. With `progress`, it records each played combination in that
 * file and skips those already there. Returns whether all accounts are exact.
 */
export async function playCombinations(options: CombinationsOptions): Promise<boolean> {
  const stores = options.store === 'both' ? (['server', 'embedded'] as const) : [storeIn(options.store)];
  let isExact = true;
  for (const store of stores) isExact = (await playOn(store, options)) && isExact;
  return isExact;
}

type Store = 'server' | 'embedded';

function storeIn(name: string): Store | 'drawn' {
  if (name === 'server' || name === 'embedded' || name === 'drawn') return name;
  throw new Error(`There is no store '${name}'. There are: server, embedded, both, drawn.`);
}

/** Chooses a store by the seed, so that a failing combination is played again on the same one. */
const drawStore = (seed: number): Store => (createRandom(seed).chance(0.5) ? 'server' : 'embedded');

async function playOn(store: Store | 'drawn', options: CombinationsOptions): Promise<boolean> {
  const opened = new Map<Store, Opened>();
  const databaseOf = async (seed: number) => {
    const name = store === 'drawn' ? drawStore(seed) : store;
    const found = opened.get(name) ?? (await open(name));
    opened.set(name, found);
    return found.database;
  };
  const end = options.seconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + Number(options.seconds) * 1_000;
  const progress = options.progress === undefined ? null : openProgress(options.progress);
  const cpu = process.cpuUsage();
  let played = 0;
  let failed = 0;
  try {
    for (const combination of combinationsOf(options)) {
      if (Date.now() >= end) break;
      if (progress?.isPlayed(combination.seed)) continue;
      played += 1;
      // One defect fails many combinations.
      const failing = await findFailing(combination, await databaseOf(combination.seed), failed === 0);
      if (failing !== null) {
        failed += 1;
        console.log(describeFailing(failing));
      }
      progress?.note(combination.seed, failing === null ? 'exact' : `fails: ${failing.command}`);
    }
  } finally {
    for (const { close } of opened.values()) await close();
  }
  const { user, system } = process.cpuUsage(cpu);
  const each = ((user + system) / 1e6 / Math.max(1, played)).toFixed(2);
  console.log(
    `${played} combinations played on ${WORDS[store]}, ${failed} failed; ${each} s of CPU each, without the server's`,
  );
  return failed === 0;
}

const WORDS = {
  server: 'the server database',
  embedded: 'the embedded database',
  drawn: 'the database that each seed draws',
} as const;

interface Opened {
  readonly database: OpenDb;
  readonly close: () => Promise<void>;
}

/** Opens a file with one line per combination: its seed and the outcome. */
function openProgress(file: string) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const seeds = new Set(lines.map((line) => Number.parseInt(line, 10)));
  return {
    isPlayed: (seed: number) => seeds.has(seed),
    note: (seed: number, outcome: string) => appendFileSync(file, `${seed} ${outcome}\n`),
  };
}

/** Yields the named combination, or the requested number of combinations starting from a seed. */
function* combinationsOf(options: CombinationsOptions): Generator<Combination> {
  const { seed = '1', switches, events, combinations, seconds } = options;
  const first = Number(seed);
  const size: Size = options.brief ? 'brief' : 'full';
  const excerpt = events === undefined ? null : excerptOf(events);
  const many = combinations !== undefined || seconds !== undefined;
  const named = switches === undefined ? null : switchesIn(switches);
  if (!many && (options.seed !== undefined || named !== null)) {
    yield { seed: first, switches: named ?? combinationOf(first).switches, excerpt, size };
    return;
  }
  const count =
    combinations === undefined
      ? seconds === undefined
        ? COMBINATIONS
        : Number.POSITIVE_INFINITY
      : Number(combinations);
  const among = named ?? ALL_SWITCHES;
  for (let number = 0; number < count; number += 1) yield combinationOf(first + number, among, size);
}

function switchesIn(text: string): Switch[] {
  if (text === 'none') return [];
  if (text === 'all') return ALL_SWITCHES;
  return text.split(',').map((name) => {
    if (isSwitch(name)) return name;
    throw new Error(`There is no switch '${name}'. There are: ${ALL_SWITCHES.join(', ')}.`);
  });
}

function excerptOf(text: string): Excerpt {
  const [from = 0, to = Number.POSITIVE_INFINITY] = text.split('-').map(Number);
  return { from, to };
}

async function open(store: Store): Promise<Opened> {
  if (store === 'embedded') return openHere();
  const server = await startPostgres();
  const database = await openDb({ kind: 'server', url: server.url }, { logger: silent });
  return {
    database,
    close: async () => {
      await database.close();
      await server.stop();
    },
  };
}
