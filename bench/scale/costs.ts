import { startPostgres } from '../../test/support/postgres.ts';
import { type Costs, costsFrom } from './calculation.ts';
import { type Load, loadDuring } from './load.ts';
import { type BotsPlan, withBots } from './running-bots.ts';

/** An event in a week. */
const QUIET = 1e-4;
const NONE = 1e9;
const MINUTE_MS = 60_000;

/**
 * Each has much of one part of the work, so that a cost isn't taken for another one: the last has some 200 failures for each message. None
 * is a point that the calculation is compared with.
 */
const LOADS: readonly Omit<BotsPlan, 'processes'>[] = [
  { environments: 1, eventsAMinute: QUIET, failingOneIn: NONE, historyMs: 0 },
  { environments: 300, eventsAMinute: QUIET, failingOneIn: NONE, historyMs: 0 },
  { environments: 20, eventsAMinute: 500, failingOneIn: NONE, historyMs: 0 },
  { environments: 100, eventsAMinute: 10, failingOneIn: NONE, historyMs: 0 },
  { environments: 100, eventsAMinute: 10, failingOneIn: NONE, historyMs: 15 * MINUTE_MS },
  { environments: 100, eventsAMinute: 2, failingOneIn: 4, historyMs: 0 },
  { environments: 20, eventsAMinute: 500, failingOneIn: 2, historyMs: 0 },
];

export interface Measured {
  readonly costs: Costs;
  /** The loads that the costs follow from. */
  readonly loads: readonly Load[];
}

/** Measures each load with a process on an embedded database of its own. `smaller` is how many times fewer environments there are. */
export async function costsEmbedded(measuredMs: number, smaller: number): Promise<Measured> {
  return measured(measuredMs, smaller, (work) => work({}));
}

/** Measures each load with a process on a PostgreSQL server of its own. */
export async function costsOnServer(measuredMs: number, smaller: number): Promise<Measured> {
  return measured(measuredMs, smaller, async (work) => {
    const postgres = await startPostgres();
    try {
      return await work({ DATABASE_URL: postgres.url });
    } finally {
      await postgres.stop();
    }
  });
}

type WithDatabase = (work: (variables: NodeJS.ProcessEnv) => Promise<Load>) => Promise<Load>;

async function measured(measuredMs: number, smaller: number, withDatabase: WithDatabase): Promise<Measured> {
  const loads: Load[] = [];
  for (const { environments, ...rest } of LOADS) {
    const plan = { ...rest, processes: 1, environments: Math.ceil(environments / smaller) };
    const load = (variables: NodeJS.ProcessEnv) =>
      withBots(plan, variables, async (running) => (await loadDuring(measuredMs, running)).load);
    loads.push(await withDatabase(load));
  }
  return { costs: costsFrom(loads), loads };
}
