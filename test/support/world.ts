import './server-ahead.ts';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, inject } from 'vitest';
import { botEnvironment } from '../../sandbox/bot.ts';
import { type LocalService, startLocalService } from '../../sandbox/service/server.ts';
import { type LocalSlack, type LocalSlackOptions, startLocalSlack } from '../../sandbox/slack/server.ts';
import { dropDatabase, type Engine, newDatabase, newStoreFolder } from '../../src/store/store.testing.ts';
import { type BotHere, type BotParts, LISTENING, startBotHere, type Variables } from './bot.ts';
import { BotLog } from './bot-log.ts';
import { createClock } from './clock.ts';
import { type Line, layLine } from './line.ts';
import { Person } from './person.ts';
import { failOnSurprises } from './surprises.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export interface WorldOptions {
  environments?: readonly string[];
  variables?: Variables;
  database?: Engine;
  /** People, channels and user groups. Defaults to the local Slack's own. */
  workspace?: Pick<LocalSlackOptions, 'people' | 'channels' | 'userGroups' | 'isInEnterprise'>;
  /** How Slack reaches the bot. With `http`, it sends signed requests. */
  mode?: Mode;
  pageFiles?: string;
}

type Mode = 'socket' | 'http';

export interface World {
  slack: LocalSlack;
  /** The service of the first environment. */
  service: LocalService;
  serviceOf(environment: string): LocalService;
  ann: Person;
  ben: Person;
  log: BotLog;
  variables: Variables;
  /** The proxies between the bot and the Web API, and between the bot and the first service. */
  lines: { slack: Line; service: Line };
  /** Makes the bot read new events, as it does when somebody asks what fails: ben does. */
  polls(environment?: string): Promise<void>;
  /** Advances the clocks of the bot, Slack and the services. What the bot does at intervals, it does when it's due. */
  passes(ms: number): void;
  /** Waits for something while fifty seconds pass in one. */
  fastForward<Thing>(waiting: Promise<Thing>): Promise<Thing>;
  /** Waits for something while the bot waits for nothing that takes long: it goes on as if it had taken too long. */
  impatiently<Thing>(waiting: Promise<Thing>): Promise<Thing>;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Stops everything. Throws a SurpriseError if the bot logged, leaked or did something unexpected. */
  close(): Promise<void>;
}

/**
 * How long the local Slack waits where the real one waits 3 s. In a test those seconds depend on the machine: `bench/` measures how many of
 * them the bot needs, and no journey is about that.
 */
const SLACK_WAITS_MS = 60_000;

const MANIFESTS: { [M in Mode]: string } = {
  socket: fileURLToPath(new URL('../../manifest.yml', import.meta.url)),
  http: fileURLToPath(new URL('../../manifest.http.yml', import.meta.url)),
};

/** Opens a world whose bot isn't started yet, for tests about starting. */
export async function openWorldAsleep(options: WorldOptions = {}): Promise<World> {
  const names = options.environments ?? ['production'];
  const clock = createClock();
  const mode = options.mode ?? 'socket';
  const { pageFiles } = options;
  const slack = await startLocalSlack({
    manifestFile: MANIFESTS[mode],
    now: clock.now,
    ackTimeoutMs: SLACK_WAITS_MS,
    triggerLifeMs: SLACK_WAITS_MS,
    ...options.workspace,
    ...(pageFiles !== undefined && { pageFiles }),
  });
  const services = await startServices(names, clock.now);
  const service = among(services, names[0] ?? '');
  const lines = { slack: await layLine(slack.url), service: await layLine(service.url) };
  const storePlace = await newStorePlace(options.database ?? inject('database'));
  const variables = {
    ...variablesOf(slack, services, lines),
    ...connectionVariables(mode, slack),
    ...storePlace.variables,
    ...options.variables,
  };
  const log = new BotLog();
  const { start, stop } = lifeOf({ variables, log, clock });
  // By HTTP, Slack can send events only once it knows where the bot listens.
  const startByHttp = () => start().then(() => sendEventsTo(slack, log));
  const ben = new Person('U0BEN', slack.workspace);
  return {
    slack,
    service,
    lines,
    log,
    variables,
    start: mode === 'socket' ? start : startByHttp,
    stop,
    serviceOf: (name) => among(services, name),
    polls: async (environment = names[0]) => void (await ben.asks(`/notif failures env:${environment}`)),
    passes: clock.passes,
    fastForward: async (waiting) => {
      const timer = setInterval(() => clock.passes(1_000), 20);
      return waiting.finally(() => clearInterval(timer));
    },
    impatiently: async (waiting) => {
      const timer = setInterval(clock.losesPatience, 50);
      return waiting.finally(() => clearInterval(timer));
    },
    ann: new Person('U0ANN', slack.workspace),
    ben,
    close: async () => {
      await stop();
      // `npm run check:slack` validates these shapes.
      const { SLACK_SHAPES: folder } = process.env;
      if (folder) await writeFile(join(folder, `${randomUUID()}.json`), JSON.stringify(slack.shapes()));
      await Promise.all([lines.slack.cut(), lines.service.cut(), slack.close(), storePlace.remove()]);
      await Promise.all([...services.values()].map((each) => each.close()));
      failOnSurprises(log, slack, [...services.values()]);
    },
  };
}

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const world = await openWorldAsleep(options);
  await world.start().catch((error: unknown) => abandon(world, error));
  return world;
}

/** Opens a world before all tests of a `describe`, and closes it after them. What this returns is filled then. */
export function sharedWorld(open: () => Promise<World>): World {
  const world: World = Object.create(null);
  beforeAll(async () => void Object.assign(world, await open()));
  afterAll(() => world.close());
  return world;
}

/** Returns a test function with a world of its own, which is closed however the test ends. */
export function inWorld(options: WorldOptions, story: (world: World) => Promise<void>): () => Promise<void> {
  return async () => play(await openWorld(options), story);
}

export function inWorldAsleep(options: WorldOptions, story: (world: World) => Promise<void>): () => Promise<void> {
  return async () => play(await openWorldAsleep(options), story);
}

async function play(world: World, story: (world: World) => Promise<void>): Promise<void> {
  await story(world).catch((error: unknown) => abandon(world, error));
  await world.close();
}

/** Closes a world in which the test failed. The test fails with its own error; the log and surprises are printed as well. */
async function abandon(world: World, error: unknown): Promise<never> {
  console.error(world.log.tail());
  await world.close().catch((surprise: unknown) => console.error(surprise));
  throw error;
}

async function startServices(names: readonly string[], now: () => number): Promise<ReadonlyMap<string, LocalService>> {
  const starting = names.map(async (name, index) => [name, await startLocalService({ seed: index + 1, now })] as const);
  return new Map(await Promise.all(starting));
}

function among(services: ReadonlyMap<string, LocalService>, name: string): LocalService {
  const service = services.get(name);
  if (service === undefined) throw new Error(`this world has no environment ${name}`);
  return service;
}

/** Returns variables by which the bot reaches the first environment and the Web API over lines that can be cut. */
function variablesOf(slack: LocalSlack, services: ReadonlyMap<string, LocalService>, lines: World['lines']): Variables {
  const environments = [...services].map(([name, { url, apiKey }], index) => {
    return { name, label: name, apiKey, url: index === 0 ? lines.service.url : url };
  });
  const { botToken, appToken } = slack;
  const slackOptions = { apiUrl: `${lines.slack.url}/api/`, botToken, appToken };
  const { SLACK_APP_TOKEN: _, ...variables } = botEnvironment(
    {},
    { slack: slackOptions, environments, dataFolder: '', port: 0 },
  );
  return { ...variables, ...unprotected([...services.keys()]), NOTIF_POLL_SECONDS: '60', LOG_LEVEL: 'debug' };
}

/** Turns protection off. Tests about it turn it on. */
function unprotected(names: readonly string[]): Variables {
  return Object.fromEntries(
    names.map((name) => [`NOTIF_${name.toUpperCase().replaceAll('-', '_')}_PROTECTED`, 'false']),
  );
}

function connectionVariables(mode: Mode, { appToken, signingSecret }: LocalSlack): Variables {
  return mode === 'socket' ? { SLACK_APP_TOKEN: appToken } : { SLACK_SIGNING_SECRET: signingSecret };
}

/** Tells Slack the bot's address, which has another port after each start. */
async function sendEventsTo(slack: LocalSlack, log: BotLog): Promise<void> {
  const port = log.saying(LISTENING).at(-1)?.port;
  await slack.postTo(`http://127.0.0.1:${port}/slack/events`);
}

interface StorePlace {
  variables: Variables;
  remove(): Promise<void>;
}

export async function newStorePlace(database: Engine): Promise<StorePlace> {
  if (database === 'server') {
    const url = await newDatabase();
    return { variables: { DATABASE_URL: url }, remove: () => dropDatabase(url) };
  }
  const folder = await newStoreFolder();
  return {
    variables: { NOTIF_DATA_DIR: folder },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Starts and stops the bot. It may already be gone when `stop` is called. */
function lifeOf(parts: BotParts): Pick<World, 'start' | 'stop'> {
  let bot: BotHere | undefined;
  return {
    start: async () => {
      bot = await startBotHere(parts);
    },
    stop: async () => {
      const leaving = bot;
      bot = undefined;
      await leaving?.stop();
    },
  };
}
