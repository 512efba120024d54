import { createServer } from 'node:http';
import { CallLog } from './calls.ts';
import { SlackFaults } from './faults.ts';
import { acceptSockets, listen, stopListening } from './http/exchange.ts';
import { type Answer, answerRequests } from './http/routes.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { CHANNELS, PEOPLE, type SeedChannel, type SeedPerson, type SeedUserGroup, USER_GROUPS } from './seed.ts';
import { SocketMode } from './socket-mode.ts';
import { Changes } from './state/changes.ts';
import { createState, type SlackState } from './state/slack-state.ts';
import { Forger, WayToBot } from './way-to-bot.ts';
import { APP_TOKEN, BOT_TOKEN } from './web-api/methods.ts';
import { AddressApi, WebApi } from './web-api/web-api.ts';
import { Workspace } from './workspace/workspace.ts';

export interface LocalSlackOptions {
  readonly port?: number;
  readonly manifestFile: string;
  /** Returns milliseconds, for timestamps, triggers, response_urls and rate limits. */
  readonly now?: () => number;
  readonly people?: readonly SeedPerson[];
  readonly channels?: readonly SeedChannel[];
  readonly userGroups?: readonly SeedUserGroup[];
  readonly isInEnterprise?: boolean;
  readonly pageFiles?: string;
  /** Scopes of the manifest that the bot wasn't granted. */
  readonly withoutScopes?: readonly string[];
  /** Whether Slack's rate limits apply from the start; off by default, because tests with a stopped clock can't use them. */
  readonly rateLimits?: boolean;
  /** The time that the bot has to acknowledge; 3,000 ms by default, as in Slack. */
  readonly ackTimeoutMs?: number;
  /** The time after an interaction in which its trigger can open a view; 3,000 ms by default, as in Slack. */
  readonly triggerLifeMs?: number;
  /** The life of a Socket Mode connection until Slack asks for a new one; five hours by default. */
  readonly connectionLifeMs?: number;
}

export interface LocalSlack {
  /** http://127.0.0.1:<port> */
  readonly url: string;
  readonly apiUrl: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
  readonly workspace: Workspace;
  readonly faults: SlackFaults;
  readonly calls: CallLog;
  /**
   * Sets the URL of a bot without Socket Mode, which gets signed requests from then on. Throws RequestUrlError if the URL doesn't answer
   * the challenge, and an Error if the manifest has Socket Mode on, which turns HTTP off.
   */
  postTo(requestUrl: string): Promise<void>;
  /** Adds a handler for requests under a path such as '/director/', with this machine's own name as the host. */
  mount(pathBeginning: string, answer: Answer): void;
  readonly forger: Forger;
  close(): Promise<void>;
}

const SIGNING_SECRET = 'sandbox-signing-secret';

const DEFAULTS = {
  port: 0,
  now: Date.now,
  people: PEOPLE,
  channels: CHANNELS,
  userGroups: USER_GROUPS,
  isInEnterprise: false,
  withoutScopes: [],
  rateLimits: false,
  ackTimeoutMs: 3_000,
  triggerLifeMs: 3_000,
  connectionLifeMs: 18_060_000,
} satisfies Partial<LocalSlackOptions>;

/** Starts a Slack on this machine: Web API, Socket Mode, people, and a page to act as them. */
export async function startLocalSlack(options: LocalSlackOptions): Promise<LocalSlack> {
  const wanted = { ...DEFAULTS, ...options };
  const { now, ackTimeoutMs, pageFiles } = wanted;
  const manifest = await readManifest(wanted.manifestFile);
  const server = createServer();
  const url = await listen(server, wanted.port);
  const slack = createWorkspace(wanted, manifest, url);
  const { bot, sockets } = slack;
  const faults = new SlackFaults({
    sockets,
    events: slack.events,
    blockKit: slack.blockKit,
    rateLimits: wanted.rateLimits,
  });
  const calls = new CallLog(slack);
  const parts = { slack, faults, calls, now };
  const apis = { webApi: new WebApi(parts), addresses: new AddressApi(parts) };
  const mounted = new Map<string, Answer>();
  answerRequests(server, { ...apis, slack, pageFiles, mounted });
  acceptSockets(server, sockets);
  return {
    url,
    apiUrl: `${url}/api/`,
    botToken: BOT_TOKEN,
    appToken: APP_TOKEN,
    signingSecret: SIGNING_SECRET,
    workspace: new Workspace(slack),
    faults,
    calls,
    postTo: async (url) => {
      if (manifest.settings.socket_mode_enabled)
        throw new Error('the manifest has Socket Mode on: nothing goes by HTTP');
      await bot.postTo({ url, signingSecret: SIGNING_SECRET, ackTimeoutMs, now });
    },
    mount: (pathBeginning, answer) => {
      mounted.set(pathBeginning, answer);
    },
    forger: new Forger({ bot, signingSecret: SIGNING_SECRET, now }),
    close: () => {
      slack.events.close();
      return stopListening(server, sockets);
    },
  };
}

type Wanted = Required<Omit<LocalSlackOptions, 'pageFiles'>>;

function createWorkspace(wanted: Wanted, manifest: Manifest, origin: string): SlackState {
  const {
    people,
    channels,
    userGroups,
    isInEnterprise,
    now,
    ackTimeoutMs,
    triggerLifeMs,
    connectionLifeMs: lifeMs,
  } = wanted;
  const changes = new Changes();
  const sockets = new SocketMode({ changes, ackTimeoutMs, lifeMs });
  const bot = new WayToBot(sockets);
  const ways = { sockets, bot, changes };
  const slack = createState({
    manifest,
    people,
    channels,
    userGroups,
    isInEnterprise,
    ...ways,
    now,
    triggerLifeMs,
    origin,
  });
  slack.grants.revoke(...wanted.withoutScopes);
  return slack;
}
