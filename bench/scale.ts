import { openEmbedded } from '../src/store/database/embedded.ts';
import { openServer } from '../src/store/database/server.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { buildBot } from './built-bot.ts';
import { withTemporaryFolder } from './ground.ts';
import { SILENT } from './poller.ts';
import type { BenchResult, Figure } from './result.ts';
import { cpuSecondsAMinute } from './scale/calculation.ts';
import { type Costs, measureCosts } from './scale/costs.ts';
import type { Lateness } from './scale/lateness.ts';
import {
  type Load,
  measureOneProcess,
  measureQuietProcess,
  NONE,
  type OneProcess,
  POLL_SECONDS,
  QUIET,
} from './scale/one-process.ts';
import { measureLoad, measureReplicas, type Replicas } from './scale/replicas.ts';
import { minimum } from './statistics.ts';

const MB = 2 ** 20;
const MOST_OFF = 25;

const ONE = {
  environments: 200,
  historyMs: 10 * 60_000,
  eventsAMinute: 10,
  failingOneIn: 100,
  surge: { environments: 50, eventsAMinute: 500 },
  measuredMs: 75_000,
};
/** Long enough for two polls of each environment, whose distance is measured. */
const SEVERAL = { replicas: 4, environments: 1_000, eventsAMinute: 2, failingOneIn: 10, measuredMs: 130_000 };
/** From a process with one environment and one with many in which nothing happens follows what each costs. */
const QUIET_ENVIRONMENTS = 100;
const QUIET_MS = 60_000;

/** A smaller size, to try it out: so many times fewer environments. */
const SMALLER = Number(process.env.BENCH_SCALE_SMALLER ?? 1);

/**
 * Many environments: 200 in one process on the embedded database, 1,000 over four replicas on a PostgreSQL server of which one is killed;
 * and what things cost one by one, from which docs/capacity.md calculates.
 */
export async function measure(): Promise<BenchResult> {
  await buildBot();
  const surging = { ...ONE.surge, environments: smaller(ONE.surge.environments) };
  const one = { ...ONE, environments: smaller(ONE.environments), surge: surging };
  const several = { ...SEVERAL, environments: smaller(SEVERAL.environments) };
  const quiet = {
    embedded: [await measureQuietProcess(1, QUIET_MS), await measureQuietProcess(QUIET_ENVIRONMENTS, QUIET_MS)],
    server: [await quietOnServer(1), await quietOnServer(QUIET_ENVIRONMENTS)],
  } as const;
  const work = { embedded: await costsEmbedded(), server: await costsOnServer() };
  const process = await measureOneProcess(one);
  const replicas = await measureReplicas(several);
  const loads = [...quiet.embedded, ...quiet.server, process.usual, process.surge, replicas.load];
  const bestPaceMs = minimum([...loads, ...Object.values(work)].map(({ paceMs }) => paceMs));
  const [alone] = quiet.server;
  const processSeconds = atPace(bestPaceMs, alone.cpuSeconds, alone.paceMs);
  const calculated = {
    embedded: { costs: costsAt(bestPaceMs, work.embedded, ...quiet.embedded), processSeconds, bestPaceMs },
    server: { costs: costsAt(bestPaceMs, work.server, ...quiet.server), processSeconds, bestPaceMs },
  };
  return {
    name: 'scale',
    figures: [
      { label: 'a process without work, a minute', value: processSeconds, unit: 's CPU' },
      ...figuresOfCosts('embedded', calculated.embedded.costs),
      ...figuresOfCosts('DATABASE_URL', calculated.server.costs),
      ...figuresOfProcess(one.environments, process, calculated.embedded),
      ...figuresOfReplicas(several.environments, replicas, calculated.server),
    ],
  };
}

interface Size {
  readonly processes: number;
  readonly environments: number;
}

/** What the calculation takes, in CPU time at the machine's best pace. */
interface Calculated {
  readonly costs: Costs;
  readonly processSeconds: number;
  readonly bestPaceMs: number;
}

/** A process with environments in which nothing happens, on a server. With one: its queue, its upkeep, its connections. */
function quietOnServer(environments: number): Promise<Load> {
  const quiet = { eventsAMinute: QUIET, failingOneIn: NONE, measuredMs: QUIET_MS };
  return measureLoad({ ...quiet, replicas: 1, environments });
}

/** Converts CPU time that was measured at one pace to what the same work takes at another. */
function atPace(paceMs: number, cpuTime: number, measuredPaceMs: number): number {
  return (cpuTime * paceMs) / measuredPaceMs;
}

/** Returns what each thing costs at the machine's best pace. */
function costsAt(
  bestPaceMs: number,
  { costs: { polledEvent, checkedEvent, failure, message }, paceMs }: MeasuredCosts,
  one: Load,
  many: Load,
): Costs {
  const seconds = (load: Load) => atPace(bestPaceMs, load.cpuSeconds, load.paceMs);
  const atBest = (cost: number) => atPace(bestPaceMs, cost, paceMs);
  return {
    environment: ((seconds(many) - seconds(one)) * 1_000) / (QUIET_ENVIRONMENTS - 1),
    polledEvent: atBest(polledEvent),
    checkedEvent: atBest(checkedEvent),
    failure: atBest(failure),
    message: atBest(message),
  };
}

const smaller = (environments: number): number => Math.ceil(environments / SMALLER);

type MeasuredCosts = Awaited<ReturnType<typeof measureCosts>>;

function costsEmbedded(): Promise<MeasuredCosts> {
  return withTemporaryFolder(async (folder) => {
    const database = await openEmbedded(folder);
    try {
      return await measureCosts(database);
    } finally {
      await database.close();
    }
  });
}

async function costsOnServer(): Promise<MeasuredCosts> {
  const postgres = await startPostgres();
  const database = await openServer(postgres.url, SILENT);
  try {
    return await measureCosts(database);
  } finally {
    await database.close();
    await postgres.stop();
  }
}

function figuresOfCosts(where: string, { environment, polledEvent, checkedEvent, failure, message }: Costs): Figure[] {
  return [
    { label: `${where}: an environment, a minute`, value: environment, unit: 'ms CPU' },
    { label: `${where}: an event in a poll`, value: polledEvent, unit: 'ms CPU' },
    { label: `${where}: an event in a check`, value: checkedEvent, unit: 'ms CPU' },
    { label: `${where}: a failure`, value: failure, unit: 'ms CPU' },
    { label: `${where}: a message`, value: message, unit: 'ms CPU' },
  ];
}

function figuresOfProcess(environments: number, found: OneProcess, calculated: Calculated): Figure[] {
  const { usual, surge, lateness, acknowledgedMs, acknowledgements, residentBytes, firstPollsSeconds } = found;
  return [
    { label: 'one process: environments', value: environments, unit: '' },
    { label: 'one process: until all were polled', value: firstPollsSeconds, unit: 's' },
    ...figuresOfLoad('one process, usual', { processes: 1, environments }, usual, calculated),
    ...figuresOfLoad('one process, surge', { processes: 1, environments }, surge, calculated),
    ...figuresOfLateness('one process', environments, lateness),
    {
      label: 'one process: acknowledgment, p99 at most',
      value: acknowledgedMs,
      unit: 'ms',
      limit: 50,
      against: `of ${acknowledgements}`,
    },
    { label: 'one process: resident', value: residentBytes / MB, unit: 'MB' },
  ];
}

function figuresOfReplicas(environments: number, found: Replicas, calculated: Calculated): Figure[] {
  const { load, databaseCpuSeconds, transactions, shares, lateness, takenOver, residentBytes, account } = found;
  const { planted, recorded, incidents, notAnnouncedOnce, notPosted } = account;
  return [
    { label: 'replicas: environments', value: environments, unit: '' },
    ...figuresOfLoad('replicas', { processes: SEVERAL.replicas, environments }, load, calculated),
    { label: 'replicas: CPU of PostgreSQL, a minute', value: databaseCpuSeconds, unit: 's CPU' },
    { label: 'replicas: transactions, a minute', value: transactions, unit: '' },
    { label: 'replicas: share of the busiest', value: shares.most * 100, unit: '%' },
    { label: 'replicas: share of the least busy', value: shares.least * 100, unit: '%' },
    ...figuresOfLateness('replicas', environments, lateness),
    { label: 'replicas: taken over after, p50', value: takenOver.p50Ms / 1_000, unit: 's' },
    {
      label: 'replicas: taken over after, longest',
      value: takenOver.longestMs / 1_000,
      unit: 's',
      limit: 3 * POLL_SECONDS,
    },
    { label: 'replicas: resident, most', value: residentBytes / MB, unit: 'MB' },
    { label: 'replicas: failures planted', value: planted, unit: '' },
    { label: 'replicas: failures lost or doubled', value: Math.abs(planted - recorded), unit: '', limit: 0 },
    { label: 'replicas: incidents', value: incidents, unit: '' },
    { label: 'replicas: incidents not announced once', value: notAnnouncedOnce, unit: '', limit: 0 },
    { label: 'replicas: messages not posted', value: notPosted, unit: '', limit: 0 },
  ];
}

/** The calculation is for the machine's best pace; measured was at the pace of that minute. */
function figuresOfLoad(what: string, size: Size, load: Load, by: Calculated): Figure[] {
  const { cpuSeconds, paceMs, requests, checks, newEvents, polledEvents, checkedEvents } = load;
  const atBest = cpuSecondsAMinute({ ...size, ...load }, by.costs, by.processSeconds);
  const calculated = atPace(paceMs, atBest, by.bestPaceMs);
  return [
    { label: `${what}: CPU, a minute`, value: cpuSeconds, unit: 's CPU' },
    { label: `${what}: the same work took`, value: paceMs / by.bestPaceMs, unit: 'times' },
    { label: `${what}: CPU calculated`, value: calculated, unit: 's CPU' },
    {
      label: `${what}: the calculation is off by`,
      value: Math.abs(calculated / cpuSeconds - 1) * 100,
      unit: '%',
      limit: MOST_OFF,
    },
    { label: `${what}: requests, a minute`, value: requests, unit: '' },
    { label: `${what}: of them checks`, value: checks, unit: '' },
    { label: `${what}: new events, a minute`, value: newEvents, unit: '' },
    { label: `${what}: events in polls, a minute`, value: polledEvents, unit: '' },
    { label: `${what}: events in checks, a minute`, value: checkedEvents, unit: '' },
    { label: `${what}: failures, a minute`, value: load.failures, unit: '' },
    { label: `${what}: messages, a minute`, value: load.messages, unit: '' },
  ];
}

/** On time: within the twentieth of a poll interval in which replicas take turns. */
function figuresOfLateness(what: string, environments: number, lateness: Lateness): Figure[] {
  return [
    { label: `${what}: lateness of polls, p50`, value: lateness.p50Ms, unit: 'ms' },
    {
      label: `${what}: lateness of polls, p99`,
      value: lateness.p99Ms,
      unit: 'ms',
      limit: (POLL_SECONDS * 1_000) / 20,
      against: `${lateness.environments} of ${environments} polled twice`,
    },
    { label: `${what}: lateness of polls, longest`, value: lateness.longestMs, unit: 'ms' },
  ];
}
