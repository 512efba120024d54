import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startLocalService } from '../sandbox/service/server.ts';
import { type LocalSlack, startLocalSlack } from '../sandbox/slack/server.ts';
import { announce } from '../src/alerts/announce.ts';
import { silent } from '../src/lib/logger.testing.ts';
import { readPresent } from '../src/polling/poll.ts';
import { readPast } from '../src/polling/read-past.ts';
import type { Db } from '../src/store/db.ts';
import { openDb } from '../src/store/open.ts';
import { ENVIRONMENT, fillStore } from './aged-store.ts';
import { type BuiltBot, buildBot, MANIFEST_FILE, startBuiltBot } from './built-bot.ts';
import { bytesIn, withGeneratedService, withTemporaryFolder } from './ground.ts';
import { generationFor, NEVER, POLL_MS, pollerCtx } from './poller.ts';
import { sampleOf } from './prometheus.ts';
import type { BenchResult, Figure } from './result.ts';
import { cpuTimed } from './statistics.ts';

const DAYS = { young: 1, aged: 30 };
type Age = keyof typeof DAYS;
const AGES: readonly Age[] = ['young', 'aged'];

/** How many times as long anything may take with a month as with a day. */
const MOST_TIMES = 2;
const MOST_GIGABYTES = 2;
const ROUNDS = 4;
const ROUND_MS = 15 * 60_000;
const EVENTS_AN_HOUR = 10_000;
const FAILING_ONE_IN = 100;
const STARTS = 5;
/** After this time a bot has done all that a start makes it do. */
const SETTLED_MS = 20_000;
/** A bot that took less CPU time between two looks does nothing but answer them. */
const SETTLES_EVERY_MS = 250;
const IDLE_MS = 15;

/** None of them is about more than a day, because with a month stored it would show more. */
const COMMANDS = [
  ...['status', 'doctor', 'failures', 'handover', 'changes', 'integrations', 'watches'],
  ...['failures since:24h topic:topic-1', 'chart since:24h', 'history since:24h tag:tag-1', 'audit since:24h'],
];

/** Milliseconds of CPU time, one value a round. */
type Taken = { [age in Age]: number[] };

interface Store {
  age: Age;
  folder: string;
}

/** Compares a database with a month of a busy environment (ten million events) with one that has only the last day of it. */
export async function measure(): Promise<BenchResult> {
  await buildBot();
  return withTemporaryFolder(async (folder) => {
    const now = new Date();
    const stores = AGES.map((age): Store => ({ age, folder: join(folder, age) }));
    for (const store of stores) await fill(store, now);
    const gigabytes = (await bytesIn(join(folder, 'aged'))) / 2 ** 30;
    const jobs = await jobsOn(stores, now);
    const bots = await botsOn(stores);
    return {
      name: `a store of ${DAYS.aged} days against one of ${DAYS.young}`,
      figures: [
        { label: 'the database', value: gigabytes, unit: 'GB', limit: MOST_GIGABYTES },
        ...[...jobs, ...bots].map(([label, taken]) => ratioOf(label, taken)),
      ],
    };
  });
}

function ratioOf(label: string, { young, aged }: Taken): Figure {
  const [before, after] = [Math.min(...young), Math.min(...aged)];
  const against = `${after.toFixed(0)} ms of CPU time against ${before.toFixed(0)}`;
  return { label, value: after / before, unit: 'times', limit: MOST_TIMES, against };
}

const noTimes = (): Taken => ({ young: [], aged: [] });

async function fill({ age, folder }: Store, now: Date): Promise<void> {
  const database = await openDb({ kind: 'embedded', folder }, { logger: silent });
  await fillStore(database.db, now, DAYS[age]);
  await database.vacuum();
  await database.close();
}

/** Measures polls and alerts. */
async function jobsOn(stores: readonly Store[], now: Date): Promise<[string, Taken][]> {
  const taken = new Map(['poll', 'past', 'alerts'].map((label) => [label, noTimes()]));
  const opened = await Promise.all(
    stores.map(async ({ age, folder }) => ({
      age,
      database: await openDb({ kind: 'embedded', folder }, { logger: silent }),
    })),
  );
  const clock = { at: now.getTime() };
  await withGeneratedService(generationFor(EVENTS_AN_HOUR, FAILING_ONE_IN, clock.at), async (url) => {
    for (let round = 0; round <= ROUNDS; round++) {
      clock.at += ROUND_MS;
      for (const { age, database } of opened) {
        const work = workOn(database.db, url, () => new Date(clock.at));
        for (const [label, run] of Object.entries(work)) {
          const ms = await cpuTimed(run);
          // The first round isn't counted, because the machine still compiles.
          if (round > 0) taken.get(label)?.[age].push(ms);
        }
      }
    }
  });
  await Promise.all(opened.map(({ database }) => database.close()));
  return [...taken];
}

function workOn(db: Db, url: string, now: () => Date): Readonly<Record<string, () => Promise<unknown>>> {
  const ctx = pollerCtx(url, db, now);
  return {
    poll: () => readPresent(ctx, ENVIRONMENT, NEVER),
    past: () => readPast(ctx, ENVIRONMENT, new Date(now().getTime() + POLL_MS), NEVER),
    alerts: () => announce(ctx, ENVIRONMENT),
  };
}

/** Measures starts, and each command in turns, both bots running and otherwise idle. */
async function botsOn(stores: readonly Store[]): Promise<[string, Taken][]> {
  const slacks = await Promise.all(stores.map(() => startLocalSlack({ manifestFile: MANIFEST_FILE })));
  const service = await startLocalService({});
  const bots: { age: Age; bot: BuiltBot; slack: LocalSlack }[] = [];
  try {
    const starts = noTimes();
    for (let start = 0; start < STARTS; start++) {
      await Promise.all(bots.splice(0).map(({ bot }) => bot.stop()));
      for (const [index, store] of stores.entries()) {
        const slack = slacks[index];
        if (slack === undefined) continue;
        const bot = await startOn(store, slack, service.url);
        starts[store.age].push(await cpuMsOf(bot));
        bots.push({ age: store.age, bot, slack });
      }
    }
    await pause(SETTLED_MS);
    const commands = new Map(COMMANDS.map((command) => [command, noTimes()]));
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [command, taken] of commands) {
        for (const { age, bot, slack } of bots) {
          const before = await cpuMsOf(bot);
          await ask(slack, command);
          const ms = (await settledCpuMsOf(bot)) - before;
          if (round > 0) taken[age].push(ms);
        }
      }
    }
    return [['a start', starts], ...[...commands].map(([word, taken]): [string, Taken] => [`/notif ${word}`, taken])];
  } finally {
    await Promise.all(bots.map(({ bot }) => bot.stop()));
    await Promise.all([...slacks, service].map((server) => server.close()));
  }
}

async function cpuMsOf(bot: BuiltBot): Promise<number> {
  return sampleOf(await bot.metrics(), 'process_cpu_seconds_total') * 1_000;
}

/** What a command wakes, such as a pass of announcing, is its own cost and not that of the command after it. */
async function settledCpuMsOf(bot: BuiltBot): Promise<number> {
  for (let last = await cpuMsOf(bot); ; ) {
    await pause(SETTLES_EVERY_MS);
    const now = await cpuMsOf(bot);
    if (now - last < IDLE_MS) return last;
    last = now;
  }
}

async function startOn({ folder }: Store, slack: LocalSlack, url: string): Promise<BuiltBot> {
  const name = ENVIRONMENT.toUpperCase();
  const bot = await startBuiltBot(slack, url, folder, {
    NOTIF_DATA_DIR: folder,
    NOTIF_ENVIRONMENTS: ENVIRONMENT,
    NOTIF_POLL_SECONDS: '3600',
    [`NOTIF_${name}_API_URL`]: url,
    [`NOTIF_${name}_API_KEY`]: 'sandbox-key',
  });
  await bot.ready();
  return bot;
}

async function ask(slack: LocalSlack, command: string): Promise<void> {
  const answers = () =>
    slack.calls.of('response_url').filter(({ args }) => !JSON.stringify(args).includes('Still working')).length;
  const before = answers();
  await slack.workspace.as('U0ANN').types('C0ONCALL', `/notif ${command}`);
  await slack.workspace.until(() => answers() > before, { what: `an answer to /notif ${command}`, timeoutMs: 30_000 });
}
