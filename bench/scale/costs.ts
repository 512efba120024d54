import { WebClient } from '@slack/web-api';
import { startLocalSlack } from '../../sandbox/slack/server.ts';
import { explainCause } from '../../src/domain/causes/explain-cause.ts';
import { anEnvironment } from '../../src/domain/environment.testing.ts';
import { createPublisher } from '../../src/slack/digest/publisher.ts';
import type { Database } from '../../src/store/database/database.ts';
import { type Store, storeOn } from '../../src/store/store.ts';
import { announceFailures } from '../../src/use-cases/alerting/announce-failures.ts';
import { deliverMessages } from '../../src/use-cases/alerting/deliver-messages.ts';
import { readIntegrations } from '../../src/use-cases/changes/read-integrations.ts';
import { poll } from '../../src/use-cases/polling/poll.ts';
import { recheckEvents } from '../../src/use-cases/polling/recheck.ts';
import { MANIFEST_FILE } from '../built-bot.ts';
import { cpuTimed } from '../cpu-time.ts';
import { paceMs } from '../pace.ts';
import { pollerParts, SILENT } from '../poller.ts';
import { quietService } from '../quiet-service.ts';
import { median } from '../statistics.ts';
import { NONE, QUIET } from './one-process.ts';
import { startTenants } from './tenants-process.ts';

/** What things cost the process, in milliseconds of CPU time. */
export interface Costs extends WorkCosts {
  /** An environment in which nothing happens, for a minute: its jobs, its poll, its checks, its integrations and announcing. */
  readonly environment: number;
}

/** What the use cases cost that are run alone. */
export interface WorkCosts {
  /** An event in the answer to a poll, which is recorded; polls overlap, so there are two for each event. */
  readonly polledEvent: number;
  /** An event in the answer to a check for late failures. */
  readonly checkedEvent: number;
  /** A failure beyond its event. */
  readonly failure: number;
  /** A message to a channel: decided, drawn and posted. */
  readonly message: number;
}

const MINUTE_MS = 60_000;
const ROUNDS = 6;
/** Before the first round that counts, the database's statements are compiled. */
const WARM_UP_ROUNDS = 3;

/** A minute of an environment: CPU time, and what was found. */
interface Minute {
  readonly pollingMs: number;
  readonly checkingMs: number;
  readonly polledEvents: number;
  readonly checkedEvents: number;
  readonly failures: number;
}

/** Measures each cost alone, by the use cases that the jobs run, on an empty database; with the machine's pace meanwhile. */
export async function measureCosts(database: Database): Promise<{ costs: WorkCosts; paceMs: number }> {
  const store = storeOn(database);
  const paces: number[] = [];
  await store.watches.ensureWatch('C0ONCALL', new Date(0));
  // What runs first pays for the compilation of all.
  await minuteOf(store, [], 'warm-up', { environments: 2, eventsAMinute: 200, failingOneIn: 2 });
  const quiet = await minuteOf(store, paces, 'quiet', { environments: 12, eventsAMinute: QUIET, failingOneIn: NONE });
  const busy = await minuteOf(store, paces, 'busy', { environments: 2, eventsAMinute: 500, failingOneIn: NONE });
  const failing = await minuteOf(store, paces, 'failing', { environments: 2, eventsAMinute: 200, failingOneIn: 2 });
  const polledEvent = (busy.pollingMs - quiet.pollingMs) / busy.polledEvents;
  const checkedEvent = (busy.checkingMs - quiet.checkingMs) / busy.checkedEvents;
  const failuresMs = failing.pollingMs - quiet.pollingMs - failing.polledEvents * polledEvent;
  const failure = Math.max(0, failuresMs) / failing.failures;
  const costs = { polledEvent, checkedEvent, failure, message: await messageCost(store) };
  return { costs, paceMs: median(paces) };
}

interface Load {
  readonly environments: number;
  readonly eventsAMinute: number;
  readonly failingOneIn: number;
}

/** Plays minutes of some environments that end now, and adds the machine's pace after each. */
async function minuteOf(store: Store, paces: number[], name: string, load: Load): Promise<Minute> {
  const start = Date.now() - (ROUNDS + WARM_UP_ROUNDS) * MINUTE_MS;
  const service = await startTenants({ ...load, firstAt: start - MINUTE_MS });
  const clock = { at: start };
  const reading = pollerParts(service.url, store.polling, () => new Date(clock.at));
  const environments = Array.from({ length: load.environments }, (_, index) => ({
    environment: `${name}-${index + 1}`,
    parts: { ...reading, service: quietService(service.url, `key-${index + 1}`) },
  }));
  const minutes = async (rounds: number) => {
    const spent = { pollingMs: 0, checkingMs: 0, failures: 0 };
    for (let round = 0; round < rounds; round += 1) {
      for (const { environment, parts } of environments) {
        const polled = await cpuTimed(() => poll(environment, parts));
        const checked = await cpuTimed(() => recheckEvents(environment, parts));
        await announceFailures(environment, { ...parts, store: store.alerting });
        if (round % 2 === 0) await readIntegrations(environment, { ...parts, store: store.changes });
        spent.pollingMs += polled.cpuMs;
        spent.checkingMs += checked.cpuMs;
        spent.failures += polled.result.newFailures;
      }
      clock.at += MINUTE_MS;
      paces.push(paceMs());
    }
    return spent;
  };
  try {
    await minutes(WARM_UP_ROUNDS);
    await service.counted();
    const spent = await minutes(ROUNDS);
    const { events, checkedEvents } = await service.counted();
    const each = (sum: number) => sum / ROUNDS / load.environments;
    return {
      pollingMs: each(spent.pollingMs),
      checkingMs: each(spent.checkingMs),
      polledEvents: each(events - checkedEvents),
      checkedEvents: each(checkedEvents),
      failures: each(spent.failures),
    };
  } finally {
    service.stop();
  }
}

const DIGESTS = 30;

/** Each environment has its first failures, which are announced and posted to a Slack in this process. */
async function messageCost(store: Store): Promise<number> {
  const start = Date.now() - 2 * MINUTE_MS;
  const tenancy = { environments: DIGESTS, firstAt: start, eventsAMinute: 10, failingOneIn: 5 };
  const service = await startTenants(tenancy);
  const slack = await startLocalSlack({ manifestFile: MANIFEST_FILE });
  const names = Array.from({ length: DIGESTS }, (_, index) => `digest-${index + 1}`);
  const reading = pollerParts(service.url, store.polling, () => new Date());
  const publisher = createPublisher({
    deliveryClient: new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl }),
    environments: names.map((name) => anEnvironment({ name, label: name })),
    explainCause,
    logger: SILENT,
  });
  const { signal } = new AbortController();
  const delivering = { store: store.deliveries, publisher, operators: [], logger: SILENT, now: reading.now, signal };
  try {
    await deliverMessages(delivering);
    for (const [index, name] of names.entries())
      await poll(name, { ...reading, service: quietService(service.url, `key-${index + 1}`) });
    const { cpuMs } = await cpuTimed(async () => {
      for (const name of names) await announceFailures(name, { ...reading, store: store.alerting });
      await deliverMessages(delivering);
    });
    return cpuMs / DIGESTS;
  } finally {
    service.stop();
    await slack.close();
  }
}
