import { buildBot } from './built-bot.ts';
import type { BenchResult, Figure } from './result.ts';
import { type Costs, cpuSecondsAMinute } from './scale/calculation.ts';
import { costsEmbedded, costsOnServer, type Measured } from './scale/costs.ts';
import type { Lateness } from './scale/lateness.ts';
import type { Load } from './scale/load.ts';
import { measureOneProcess, type OneProcess } from './scale/one-process.ts';
import { measureReplicas, type Replicas } from './scale/replicas.ts';
import { POLL_SECONDS } from './scale/running-bots.ts';

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
const SEVERAL = {
  processes: 4,
  environments: 1_000,
  historyMs: 0,
  eventsAMinute: 2,
  failingOneIn: 10,
  measuredMs: 130_000,
};
/** A poll interval, and what it takes for none to be missed. */
const COSTS_MS = 65_000;

/** A smaller size, to try it out: so many times fewer environments. */
const SMALLER = Number(process.env.BENCH_SCALE_SMALLER ?? 1);

/**
 * Many environments: 200 in one process on the embedded database, 1,000 over four replicas on a PostgreSQL server of which one is killed;
 * and what each part of the work costs, from which docs/capacity.md calculates. The costs follow from other loads of the running bot than
 * the ones that the calculation is compared with.
 */
export async function measure(): Promise<BenchResult> {
  await buildBot();
  const surge = { ...ONE.surge, environments: smaller(ONE.surge.environments) };
  const process = await measureOneProcess({ ...ONE, environments: smaller(ONE.environments), surge });
  const embedded = await costsEmbedded(COSTS_MS, SMALLER);
  const server = await costsOnServer(COSTS_MS, SMALLER);
  const replicas = await measureReplicas({ ...SEVERAL, environments: smaller(SEVERAL.environments) });
  return {
    name: 'scale',
    figures: [
      ...figuresOfCosts('embedded', embedded),
      ...figuresOfCosts('DATABASE_URL', server),
      ...figuresOfProcess(process, embedded.costs),
      ...figuresOfReplicas(replicas, server.costs),
    ],
  };
}

const smaller = (environments: number): number => Math.ceil(environments / SMALLER);

function figuresOfCosts(where: string, { costs, loads }: Measured): Figure[] {
  const { process, environment, polledEvent, checkedEvent, failure, message } = costs;
  return [
    { label: `${where}: a process, a minute`, value: process, unit: 'ms CPU' },
    { label: `${where}: an environment, a minute`, value: environment, unit: 'ms CPU' },
    { label: `${where}: an event in a poll`, value: polledEvent, unit: 'ms CPU' },
    { label: `${where}: an event in a check`, value: checkedEvent, unit: 'ms CPU' },
    { label: `${where}: a failure`, value: failure, unit: 'ms CPU' },
    { label: `${where}: a message`, value: message, unit: 'ms CPU' },
    ...loads.map((load, index) => ({
      label: `${where}: load ${index + 1}, CPU, a minute`,
      value: load.cpuSeconds,
      unit: 's CPU',
      against: `${cpuSecondsAMinute(load, costs).toFixed(1)} s with these costs; ${workIn(load)}`,
    })),
  ];
}

function workIn({ environments, polledEvents, checkedEvents, failures, messages }: Load): string {
  const [polled, checked, failed, posted] = [polledEvents, checkedEvents, failures, messages].map(Math.round);
  return `${environments} environments, ${polled} events in polls, ${checked} in checks, ${failed} failures, ${posted} messages`;
}

function figuresOfProcess(found: OneProcess, costs: Costs): Figure[] {
  const { usual, surge, lateness, acknowledgedMs, acknowledgements, residentBytes, firstPollsSeconds } = found;
  const { environments } = usual;
  return [
    { label: 'one process: environments', value: environments, unit: '' },
    { label: 'one process: until all were polled', value: firstPollsSeconds, unit: 's' },
    ...figuresOfLoad('one process, usual', usual, costs),
    ...figuresOfLoad('one process, surge', surge, costs),
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

function figuresOfReplicas(found: Replicas, costs: Costs): Figure[] {
  const { load, databaseCpuSeconds, transactions, shares, lateness, takenOver, residentBytes, account } = found;
  const { environments } = load;
  const { planted, recorded, incidents, notAnnouncedOnce, notPosted } = account;
  return [
    { label: 'replicas: environments', value: environments, unit: '' },
    ...figuresOfLoad('replicas', load, costs),
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

function figuresOfLoad(what: string, load: Load, costs: Costs): Figure[] {
  const { cpuSeconds, requests, checks, newEvents, polledEvents, checkedEvents, failures, messages } = load;
  const calculated = cpuSecondsAMinute(load, costs);
  return [
    { label: `${what}: CPU, a minute`, value: cpuSeconds, unit: 's CPU' },
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
    { label: `${what}: failures, a minute`, value: failures, unit: '' },
    { label: `${what}: messages, a minute`, value: messages, unit: '' },
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
