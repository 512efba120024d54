import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';
import type { WayToBot } from './bot/way-to-bot.ts';
import { CallLog } from './calls.ts';
import { SlackFaults } from './faults.ts';
import { listen, urlOf } from './http/exchange.ts';
import { type Answer, answerRequest } from './http/routes.ts';
import { parseManifest } from './manifest.ts';
import { CHANNELS, PEOPLE, USER_GROUPS } from './seed.ts';
import { SlackState, type StateOptions } from './state.ts';
import type { Shape } from './validate/shapes.ts';
import { APP_TOKEN, BOT_TOKEN, WebApi } from './web-api/web-api.ts';
import { Workspace } from './workspace/workspace.ts';

/** Times are Slack's own by default: 3 s for acknowledgments and triggers, five hours for a connection. */
export interface LocalSlackOptions extends Partial<Omit<StateOptions, 'manifest' | 'origin'>> {
  port?: number;
  manifestFile: string;
  /** The folder of the built page. */
  pageFiles?: string;
}

export interface LocalSlack {
  url: string;
  apiUrl: string;
  botToken: string;
  appToken: string;
  signingSecret: string;
  workspace: Workspace;
  faults: SlackFaults;
  calls: CallLog;
  /** The distinct structures of blocks, views and suggestions that the bot has sent. */
  shapes: () => readonly Shape[];
  /** Sets the URL of a bot without Socket Mode. Rejects if it doesn't answer the challenge, or the manifest has Socket Mode on. */
  postTo(requestUrl: string): Promise<void>;
  /** Sends the bot a forged request, and returns the status of its answer. */
  forge: WayToBot['forge'];
  /** Adds a handler for requests under a path such as '/director/', with this machine's own name as the host. */
  mount(pathBeginning: string, answer: Answer): void;
  close(): Promise<void>;
}

const SIGNING_SECRET = 'sandbox-signing-secret';

const DEFAULTS = {
  now: Date.now,
  people: PEOPLE,
  channels: CHANNELS,
  userGroups: USER_GROUPS,
  isInEnterprise: false,
  ackTimeoutMs: 3_000,
  triggerLifeMs: 3_000,
  onRefusal: () => {},
};

export async function startLocalSlack(options: LocalSlackOptions): Promise<LocalSlack> {
  const { port = 0, manifestFile, pageFiles, ...given } = options;
  const manifest = parseManifest(await readFile(manifestFile, 'utf8'), manifestFile);
  const server = createServer();
  const origin = await listen(server, port);
  const slack = new SlackState({ ...DEFAULTS, ...given, manifest, origin });
  const { bot, sockets, now } = slack;
  const faults = new SlackFaults(slack);
  const calls = new CallLog(slack);
  const mounted = new Map<string, Answer>();
  const doors = { webApi: new WebApi(slack, faults, calls), slack, pageFiles, mounted };
  server.on('request', (request, response) => void answerRequest(request, response, doors));
  const upgrades = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    const { pathname, searchParams } = urlOf(request);
    const isAdmitted = pathname === '/link/' && sockets.redeemTicket(searchParams.get('ticket') ?? '');
    if (!isAdmitted) socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    else upgrades.handleUpgrade(request, socket, head, (connection) => sockets.accept(connection));
  });
  return {
    url: origin,
    apiUrl: `${origin}/api/`,
    workspace: new Workspace(slack),
    faults,
    calls,
    shapes: () => slack.blockKit.shapes.all(),
    botToken: BOT_TOKEN,
    appToken: APP_TOKEN,
    signingSecret: SIGNING_SECRET,
    postTo: async (url) => {
      if (manifest.settings.socket_mode_enabled)
        throw new Error('the manifest has Socket Mode on: nothing goes by HTTP');
      const ackTimeoutMs = options.ackTimeoutMs ?? DEFAULTS.ackTimeoutMs;
      await bot.postTo({ url, signingSecret: SIGNING_SECRET, ackTimeoutMs, now });
    },
    forge: (flaw) => bot.forge(flaw),
    mount: (pathBeginning, answer) => void mounted.set(pathBeginning, answer),
    close: async () => {
      await sockets.close();
      server.closeAllConnections();
      await new Promise<void>((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
      });
    },
  };
}
