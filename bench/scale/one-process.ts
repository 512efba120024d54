import { setTimeout as wait } from 'node:timers/promises';
import { type LocalSlack, startLocalSlack } from '../../sandbox/slack/server.ts';
import { type BuiltBot, IMAGE_VARIABLES, MANIFEST_FILE, startBuiltBot } from '../built-bot.ts';
import { withTemporaryFolder } from '../ground.ts';
import { paceDuring } from '../pace.ts';
import { boundOf, bucketsOf, sampleOf, sumOf } from '../prometheus.ts';
import { type Lateness, latenessOf, type Poll } from './lateness.ts';
import { allPolled, environmentVariables, startTenants, type TenantsService } from './tenants-process.ts';

export const POLL_SECONDS = 60;
const MINUTE_MS = 60_000;
const POLL_MS = POLL_SECONDS * 1_000;
const TYPE_EVERY_MS = 500;
const ANSWERED_WITHIN_MS = 5_000;
const FIRST_POLLS_WITHIN_MS = 3 * 60_000;
/** Until first polls are over, and until a surge has been in each poll. */
const SETTLE_MS = 10_000;

export interface OneProcessPlan {
  readonly environments: number;
  readonly historyMs: number;
  readonly eventsAMinute: number;
  readonly failingOneIn: number;
  readonly surge: { readonly environments: number; readonly eventsAMinute: number };
  /** How long each of the two loads is measured. */
  readonly measuredMs: number;
}

/** What was measured under a load, in a minute. */
export interface Load {
  readonly cpuSeconds: number;
  /** The machine's pace meanwhile. */
  readonly paceMs: number;
  readonly requests: number;
  /** Requests for late failures. */
  readonly checks: number;
  readonly newEvents: number;
  /** Events in the answers to polls, which overlap, and to checks. */
  readonly polledEvents: number;
  readonly checkedEvents: number;
  readonly failures: number;
  /** Messages that were posted, and edited. */
  readonly messages: number;
}

export interface OneProcess {
  readonly usual: Load;
  readonly surge: Load;
  readonly lateness: Lateness;
  readonly acknowledgedMs: number;
  readonly acknowledgements: number;
  readonly residentBytes: number;
  /** From the start of the process until each environment had been polled. */
  readonly firstPollsSeconds: number;
}

/** One process on the embedded database with environments in which next to nothing happens. */
export function measureQuietProcess(environments: number, measuredMs: number): Promise<Load> {
  const plan = { environments, historyMs: 0, eventsAMinute: QUIET, failingOneIn: NONE };
  return withProcess(plan, async (loaded) => {
    await wait(SETTLE_MS);
    return (await loadDuring(measuredMs, loaded)).load;
  });
}

/** An event in a week. */
export const QUIET = 1e-4;
export const NONE = 1e9;

/** One process on the embedded database: first at a usual load, then with a surge in some environments, while somebody types commands. */
export function measureOneProcess(plan: OneProcessPlan): Promise<OneProcess> {
  return withProcess(plan, async ({ bots: [bot], service, slack }, firstPollsSeconds) => {
    if (bot === undefined) throw new Error('no process');
    return { ...(await underLoads(bot, service, slack, plan)), firstPollsSeconds };
  });
}

async function withProcess<Result>(
  plan: Pick<OneProcessPlan, 'environments' | 'historyMs' | 'eventsAMinute' | 'failingOneIn'>,
  work: (loaded: Loaded, firstPollsSeconds: number) => Promise<Result>,
): Promise<Result> {
  const { environments, historyMs, eventsAMinute, failingOneIn } = plan;
  const slack = await startLocalSlack({ manifestFile: MANIFEST_FILE });
  const firstAt = Date.now() - historyMs;
  const service = await startTenants({ environments, firstAt, eventsAMinute, failingOneIn });
  const settings = { ...IMAGE_VARIABLES, NOTIF_POLL_SECONDS: String(POLL_SECONDS) };
  const variables = { ...settings, ...environmentVariables(environments, service.url) };
  try {
    return await withTemporaryFolder(async (folder) => {
      const begun = performance.now();
      const bot = await startBuiltBot(slack, service.url, folder, variables);
      try {
        await bot.ready();
        await allPolled(service, { environments, since: 0, withinMs: FIRST_POLLS_WITHIN_MS });
        const firstPollsSeconds = (performance.now() - begun) / 1_000;
        return await work({ bots: [bot], service, slack }, firstPollsSeconds);
      } finally {
        await bot.stop();
      }
    });
  } finally {
    service.stop();
    await slack.close();
  }
}

async function underLoads(
  bot: BuiltBot,
  service: TenantsService,
  slack: LocalSlack,
  plan: OneProcessPlan,
): Promise<Omit<OneProcess, 'firstPollsSeconds'>> {
  const polls: Poll[] = [];
  const loaded = { bots: [bot], service, slack };
  const stopTyping = typing(slack);
  await settle(service, polls);
  const usual = await loadDuring(plan.measuredMs, loaded);
  polls.push(...usual.polls);
  service.send({ surge: { at: Date.now(), ...plan.surge } });
  await settle(service, polls);
  const surge = await loadDuring(plan.measuredMs, loaded);
  polls.push(...surge.polls);
  await stopTyping();
  const metrics = await bot.metrics();
  const acknowledged = bucketsOf(metrics, 'notif_slack_acknowledgment_seconds');
  return {
    usual: usual.load,
    surge: surge.load,
    lateness: latenessOf(polls, POLL_MS),
    acknowledgedMs: boundOf(acknowledged, 0.99) * 1_000,
    acknowledgements: acknowledged.get(Number.POSITIVE_INFINITY) ?? 0,
    residentBytes: sampleOf(metrics, 'process_resident_memory_bytes'),
  };
}

async function settle(service: TenantsService, polls: Poll[]): Promise<void> {
  await wait(SETTLE_MS);
  polls.push(...(await service.counted()).polls);
}

export interface Loaded {
  readonly bots: readonly BuiltBot[];
  readonly service: TenantsService;
  readonly slack: LocalSlack;
}

/** Measures the load of all bots together for so long, and returns the polls meanwhile. */
export async function loadDuring(
  ms: number,
  { bots, service, slack }: Loaded,
): Promise<{ readonly load: Load; readonly polls: readonly Poll[] }> {
  const messages = () => slack.calls.of('chat.postMessage').length + slack.calls.of('chat.update').length;
  await service.counted();
  const [before, messagesBefore] = [await readings(bots), messages()];
  const paceMs = await paceDuring(ms);
  const counted = await service.counted();
  const after = await readings(bots);
  const aMinute = (value: number) => (value * MINUTE_MS) / (after.at - before.at);
  const load = {
    cpuSeconds: aMinute(after.cpuSeconds - before.cpuSeconds),
    paceMs,
    requests: aMinute(counted.requests),
    checks: aMinute(counted.checks),
    newEvents: aMinute(after.newEvents - before.newEvents),
    polledEvents: aMinute(counted.events - counted.checkedEvents),
    checkedEvents: aMinute(counted.checkedEvents),
    failures: aMinute(after.failures - before.failures),
    messages: aMinute(messages() - messagesBefore),
  };
  return { load, polls: counted.polls };
}

async function readings(bots: readonly BuiltBot[]) {
  const metrics = await Promise.all(bots.map((bot) => bot.metrics()));
  const sum = (name: string) => metrics.reduce((all, text) => all + sumOf(text, name), 0);
  return {
    at: performance.now(),
    cpuSeconds: sum('process_cpu_seconds_total'),
    newEvents: sum('notif_events_checked_total'),
    failures: sum('notif_failures_recorded_total'),
  };
}

/** Has somebody type a command every so often until the returned function is called. */
function typing(slack: LocalSlack): () => Promise<void> {
  const stopped = new AbortController();
  const ann = slack.workspace.as('U0ANN');
  const typed: Promise<unknown>[] = [];
  const loop = async () => {
    while (!stopped.signal.aborted) {
      typed.push(ann.types('C0ONCALL', '/notif help'));
      await wait(TYPE_EVERY_MS, undefined, { signal: stopped.signal }).catch(() => {});
    }
    await Promise.race([Promise.all(typed), wait(ANSWERED_WITHIN_MS)]);
  };
  const ended = loop();
  return () => {
    stopped.abort();
    return ended;
  };
}
