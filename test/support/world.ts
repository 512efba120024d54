import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { botEnvironment } from '../../sandbox/bot-environment.ts';
import { type LocalService, startLocalService } from '../../sandbox/notification-service/server.ts';
import { type LocalSlack, type LocalSlackOptions, startLocalSlack } from '../../sandbox/slack/server.ts';
import type { StoreParts } from '../../src/app.ts';
import { type Engine, newDatabase, newStoreFolder } from '../../src/store/store.testing.ts';
import { type Bot, type BotParts, LISTENING, startBotHere, startBotProcess, type Variables } from './bot.ts';
import { BotLog } from './bot-log.ts';
import { type Line, layLine } from './line.ts';
import { Person } from './person.ts';
import { failOnSurprises } from './surprises.ts';

export interface WorldOptions {
  /** Their names; each has a local service of its own, and the first is meant where none is named. */
  readonly environments?: readonly string[];
  /** Over those that lead the bot to its local Slack and services. */
  readonly variables?: Variables;
  /** Unless given: that of this run. */
  readonly database?: Engine;
  /** Who and what is in the workspace; the local Slack's own people and channels unless given. */
  readonly workspace?: Pick<LocalSlackOptions, 'people' | 'channels' | 'userGroups' | 'isInEnterprise'>;
  /** How Slack reaches the bot; `http`: it posts, signed. */
  readonly mode?: Mode;
  /** `process` for a bot that can be killed. */
  readonly bot?: 'here' | 'process';
  /**
   * How fast time passes for the bot, Slack and the services; 1. A story in which much is read takes a fraction, so that a busy machine
   * does not use up the seconds that the bot gives itself.
   */
  readonly pace?: number;
  readonly storeParts?: StoreParts;
  /** The folder of the workspace's built page, for journeys in a browser. */
  readonly pageFiles?: string;
}

export type Mode = 'socket' | 'http';

/** A workspace with people, Notification Services and the real bot between them. */
export interface World {
  readonly slack: LocalSlack;
  /** The service of the first environment. */
  readonly service: LocalService;
  serviceOf(environment: string): LocalService;
  /** An operator. */
  readonly ann: Person;
  readonly ben: Person;
  readonly log: BotLog;
  /** What the bot is started with. */
  readonly variables: Variables;
  /** The ways from the bot to the Web API and to the first service. */
  readonly lines: { readonly slack: Line; readonly service: Line };
  /** Lets time pass for the bot, Slack and the services alike; their timers know nothing of it. */
  passes(ms: number): void;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends the bot's process as if the machine had, and resolves when it is gone. */
  kill(): Promise<void>;
  /** Ends everything. Throws a SurpriseError where the bot logged, said or was refused something that is no part of the story. */
  close(): Promise<void>;
}

/**
 * How long a journey's Slack waits where the real one waits 3 s. Those seconds are the machine's: `bench/` measures how many of them the bot
 * takes, and no journey is about that.
 */
const SLACK_WAITS_MS = 60_000;

const MANIFESTS: { readonly [M in Mode]: string } = {
  socket: fileURLToPath(new URL('../../manifest.yml', import.meta.url)),
  http: fileURLToPath(new URL('../../manifest.http.yml', import.meta.url)),
};

/** Opens a world whose bot is not started yet, for journeys about starting. */
export async function openWorldAsleep(options: WorldOptions = {}): Promise<World> {
  const names = options.environments ?? ['production'];
  const clock = createClock(options.pace ?? 1);
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
  const kept = await keepingPlace(options.database ?? inject('database'));
  const variables = {
    ...settings(slack, services, lines),
    ...wayIn(mode, slack),
    ...kept.variables,
    ...options.variables,
  };
  const log = new BotLog();
  const ownLife = lifeOf(options.bot ?? 'here', { variables, log, now: clock.now, storeParts: options.storeParts });
  const life =
    mode === 'socket' ? ownLife : { ...ownLife, start: () => ownLife.start().then(() => leadTo(slack, log)) };
  return {
    ...{ slack, service, lines, log, variables, ...life },
    serviceOf: (name) => among(services, name),
    passes: clock.passes,
    ann: new Person('U0ANN', slack.workspace),
    ben: new Person('U0BEN', slack.workspace),
    close: async () => {
      await life.stop();
      await Promise.all([lines.slack.cut(), lines.service.cut(), slack.close(), kept.remove()]);
      await Promise.all([...services.values()].map((each) => each.close()));
      failOnSurprises(log, slack, [...services.values()]);
    },
  };
}

/** Opens a world whose bot is connected. */
export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const world = await openWorldAsleep(options);
  await world.start().catch((error: unknown) => abandon(world, error));
  return world;
}

/** A test in a world of its own, which is closed however the story ends. */
export function inWorld(options: WorldOptions, story: (world: World) => Promise<void>): () => Promise<void> {
  return async () => tell(await openWorld(options), story);
}

/** As `inWorld`, with a bot that the story starts. */
export function inWorldAsleep(options: WorldOptions, story: (world: World) => Promise<void>): () => Promise<void> {
  return async () => tell(await openWorldAsleep(options), story);
}

async function tell(world: World, story: (world: World) => Promise<void>): Promise<void> {
  await story(world).catch((error: unknown) => abandon(world, error));
  await world.close();
}

/** Closes a world in which something went wrong: that is what the journey fails with; the log and surprises are printed beside it. */
async function abandon(world: World, error: unknown): Promise<never> {
  console.error(world.log.tail());
  await world.close().catch((surprise: unknown) => console.error(surprise));
  throw error;
}

interface Clock {
  /** Milliseconds. */
  now(): number;
  passes(ms: number): void;
}

/** The real time from now on, at a pace, and what a story adds to it. */
function createClock(pace: number): Clock {
  const begin = Date.now();
  let ahead = 0;
  return {
    now: () => begin + Math.floor((Date.now() - begin) * pace) + ahead,
    passes: (ms) => {
      ahead += ms;
    },
  };
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

/** Reads every second; the first environment and the Web API are reached over lines that can be cut. */
function settings(slack: LocalSlack, services: ReadonlyMap<string, LocalService>, lines: World['lines']): Variables {
  const environments = [...services].map(([name, { url, apiKey }], index) => {
    return { name, label: name, apiKey, url: index === 0 ? lines.service.url : url };
  });
  const { botToken, appToken } = slack;
  const own = { apiUrl: `${lines.slack.url}/api/`, botToken, appToken };
  const { SLACK_APP_TOKEN: _, ...variables } = botEnvironment(
    {},
    { slack: own, environments, dataFolder: '', port: 0 },
  );
  return { ...variables, ...unprotected([...services.keys()]), NOTIF_POLL_SECONDS: '1', LOG_LEVEL: 'debug' };
}

/** A story asks for protection where it is about that. */
function unprotected(names: readonly string[]): Variables {
  return Object.fromEntries(
    names.map((name) => [`NOTIF_${name.toUpperCase().replaceAll('-', '_')}_PROTECTED`, 'false']),
  );
}

function wayIn(mode: Mode, { appToken, signingSecret }: LocalSlack): Variables {
  return mode === 'socket' ? { SLACK_APP_TOKEN: appToken } : { SLACK_SIGNING_SECRET: signingSecret };
}

/** Slack posts to where the bot listens. */
async function leadTo(slack: LocalSlack, log: BotLog): Promise<void> {
  const port = log.saying(LISTENING).at(-1)?.port;
  await slack.postTo(`http://127.0.0.1:${port}/slack/events`);
}

interface KeepingPlace {
  readonly variables: Variables;
  remove(): Promise<void>;
}

/** Where the bot keeps what it knows, also over a restart. */
async function keepingPlace(database: Engine): Promise<KeepingPlace> {
  if (database === 'server') return { variables: { DATABASE_URL: await newDatabase() }, remove: async () => {} };
  const folder = await newStoreFolder();
  return {
    variables: { NOTIF_DATA_DIR: folder },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

type Life = Pick<World, 'start' | 'stop' | 'kill'>;

/** The bot's comings and goings; `stop` and `kill` may find it gone already. */
function lifeOf(where: 'here' | 'process', parts: BotParts): Life {
  let bot: Bot | undefined;
  const leave = async (way: 'stop' | 'kill') => {
    const leaving = bot;
    bot = undefined;
    await leaving?.[way]();
  };
  return {
    start: async () => {
      if (where === 'here') {
        bot = await startBotHere(parts);
        return;
      }
      const started = await startBotProcess(parts);
      bot = started;
      await started.ready();
    },
    stop: () => leave('stop'),
    kill: () => leave('kill'),
  };
}
