import { createServer } from 'node:http';
import { CallLog } from './calls.ts';
import { SlackFaults } from './faults.ts';
import { Forger } from './forger.ts';
import { acceptSockets, listen, stopListening } from './http/listen.ts';
import { type Answer, answerRequests } from './http/routes.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { ResponseUrlApi } from './response-url-api.ts';
import { CHANNELS, PEOPLE, type SeedChannel, type SeedPerson, type SeedUserGroup, USER_GROUPS } from './seed.ts';
import { SocketMode } from './socket-mode.ts';
import { Changes } from './state/changes.ts';
import { createState, type SlackState } from './state/slack-state.ts';
import { Traffic } from './traffic/traffic.ts';
import { UploadApi } from './upload-api.ts';
import { WayToBot } from './way-to-bot.ts';
import { APP_TOKEN, BOT_TOKEN } from './web-api/access.ts';
import { WebApi } from './web-api/web-api.ts';
import { Workspace } from './workspace/workspace.ts';

export interface LocalSlackOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Path of the app's manifest.yml: its commands, shortcuts and scopes are what this Slack allows. */
  readonly manifestFile: string;
  /** Milliseconds; the clock of timestamps, triggers, response_urls and rate limits. */
  readonly now?: () => number;
  readonly people?: readonly SeedPerson[];
  readonly channels?: readonly SeedChannel[];
  readonly userGroups?: readonly SeedUserGroup[];
  /** The workspace belongs to an organization of several (Enterprise Grid), `ENTERPRISE`; it doesn't when left out. */
  readonly isInEnterprise?: boolean;
  /** The folder of the built page, served at /. */
  readonly pageFiles?: string;
  /** Scopes of the manifest that the bot was not granted. */
  readonly withoutScopes?: readonly string[];
  /** Whether Slack's rate limits hold from the start, which tests with a clock that stands still have no use for; off when left out. */
  readonly rateLimits?: boolean;
  /** How long the bot has to acknowledge; Slack's 3,000 ms. */
  readonly ackTimeoutMs?: number;
  /** How long after an interaction a view can be opened with its trigger; Slack's 3,000 ms. */
  readonly triggerLifeMs?: number;
  /** How long a Socket Mode connection lives until Slack asks for a new one; five hours. */
  readonly connectionLifeMs?: number;
}

export interface LocalSlack {
  /** http://127.0.0.1:<port> */
  readonly url: string;
  /** For `clientOptions.slackApiUrl`; ends in /api/ */
  readonly apiUrl: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
  readonly workspace: Workspace;
  readonly faults: SlackFaults;
  readonly calls: CallLog;
  /** The same and everything else that went between bot and workspace, as the page shows it. */
  readonly traffic: Traffic;
  /**
   * Tells where a bot without Socket Mode listens: everything is posted there, signed. Throws RequestUrlError when it does not answer the
   * challenge, and an Error when the manifest has Socket Mode on, which stops HTTP.
   */
  postTo(requestUrl: string): Promise<void>;
  /** Lets somebody else answer what the page asks for under a path such as '/director/', for requests to this machine by its own name. */
  mount(pathBeginning: string, answer: Answer): void;
  /** Somebody who posts to that address and is not Slack. */
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

/** Starts a Slack of one's own on this machine: Web API, Socket Mode, people and a page to be them. */
export async function startLocalSlack(options: LocalSlackOptions): Promise<LocalSlack> {
  const wanted = { ...DEFAULTS, ...options };
  const { now, ackTimeoutMs, pageFiles } = wanted;
  const manifest = await readManifest(wanted.manifestFile);
  const server = createServer();
  const url = await listen(server, wanted.port);
  const slack = createWorkspace(wanted, manifest, url);
  const { bot, sockets, traffic } = slack;
  const faults = new SlackFaults({ sockets, events: slack.events, rateLimits: wanted.rateLimits });
  const calls = new CallLog(slack);
  const parts = { slack, faults, calls, now };
  const apis = { webApi: new WebApi(parts), responseUrls: new ResponseUrlApi(parts), uploads: new UploadApi(parts) };
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
    traffic,
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
      slack.scheduled.close();
      return stopListening(server, sockets);
    },
  };
}

type Wanted = Required<Omit<LocalSlackOptions, 'pageFiles'>>;

/** A workspace that the bot has just been installed in, at this origin. */
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
  const traffic = new Traffic(now);
  const sockets = new SocketMode({ changes, traffic, ackTimeoutMs, lifeMs });
  const bot = new WayToBot(sockets, traffic);
  const ways = { sockets, bot, traffic, changes };
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
