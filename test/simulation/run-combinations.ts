import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/store/database.ts';
import { openEmbedded } from '../../src/store/embedded.ts';
import { openServer } from '../../src/store/server.ts';
import { startPostgres } from '../support/postgres.ts';
import { combinationOf, describeFailing, findFailing } from './combinations.ts';
import { startHere } from './engine-here.ts';
import { WAITING } from './expected.ts';
import type { Combination } from './shrink.ts';
import type { Excerpt } from './story.ts';
import { ALL_SWITCHES, isSwitch, type Switch } from './world.ts';

export interface CombinationsOptions {
  readonly seed?: string | undefined;
  readonly switches?: string | undefined;
  readonly events?: string | undefined;
  readonly combinations?: string | undefined;
  readonly seconds?: string | undefined;
  readonly store: string;
}

const COMBINATIONS = 200;

/** Plays combinations, prints those that fail and what a combination costs. Returns whether all accounts are exact. */
export async function playCombinations(options: CombinationsOptions): Promise<boolean> {
  const stores = options.store === 'both' ? ['server', 'embedded'] : [options.store];
  let isExact = true;
  for (const store of stores) isExact = (await playOn(store, options)) && isExact;
  return isExact;
}

async function playOn(store: string, options: CombinationsOptions): Promise<boolean> {
  const { database, close } = await open(store);
  const end = options.seconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + Number(options.seconds) * 1_000;
  const cpu = process.cpuUsage();
  let played = 0;
  let failed = 0;
  try {
    for (const combination of combinationsOf(options)) {
      if (Date.now() >= end) break;
      played += 1;
      const failing = await findFailing(combination, database);
      if (failing === null) continue;
      failed += 1;
      console.log(describeFailing(failing));
    }
  } finally {
    await close();
  }
  const { user, system } = process.cpuUsage(cpu);
  const each = ((user + system) / 1e6 / Math.max(1, played)).toFixed(2);
  console.log(
    `${played} combinations played on the ${store} database, ${failed} failed; ${each} s of CPU each, without the server's`,
  );
  return failed === 0;
}

/** One that's named, or as many as are asked for, from a seed on. */
function* combinationsOf(options: CombinationsOptions): Generator<Combination> {
  const { seed = '1', switches, events, combinations, seconds } = options;
  const first = Number(seed);
  const excerpt = events === undefined ? null : excerptOf(events);
  const many = combinations !== undefined || seconds !== undefined;
  const named = switches === undefined ? null : switchesIn(switches);
  if (!many && (options.seed !== undefined || named !== null)) {
    yield { seed: first, switches: named ?? combinationOf(first).switches, excerpt };
    return;
  }
  const count =
    combinations === undefined
      ? seconds === undefined
        ? COMBINATIONS
        : Number.POSITIVE_INFINITY
      : Number(combinations);
  const among = named ?? ALL_SWITCHES.filter((name) => !WAITING.includes(name));
  for (let number = 0; number < count; number += 1) yield combinationOf(first + number, among);
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

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

async function open(store: string): Promise<{ database: Database; close: () => Promise<void> }> {
  if (store === 'embedded') {
    const folder = await mkdtemp(join(tmpdir(), 'notif-simulation-'));
    const database = await openEmbedded(folder, { start: startHere });
    return {
      database,
      close: async () => {
        await database.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  }
  if (store !== 'server') throw new Error(`There is no store '${store}'. There are: server, embedded, both.`);
  const server = await startPostgres();
  const database = await openServer(server.url, logger);
  return {
    database,
    close: async () => {
      await database.close();
      await server.stop();
    },
  };
}
