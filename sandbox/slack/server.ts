import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { WebSocketServer } from 'ws';
import { CallLog } from './calls.ts';
import { SlackFaults } from './faults.ts';
import { answerResponseUrl, answerWebApi } from './http/api-routes.ts';
import { isForLocalHost, sendJson, urlOf } from './http/exchange.ts';
import { answerPage } from './http/page-api.ts';
import { servePageFile } from './http/page-files.ts';
import { readManifest } from './manifest.ts';
import { ResponseUrlApi } from './response-url-api.ts';
import { CHANNELS, PEOPLE, type SeedChannel, type SeedPerson, type SeedUserGroup, USER_GROUPS } from './seed.ts';
import { SocketMode } from './socket-mode.ts';
import { Changes } from './state/changes.ts';
import { createState, type SlackState } from './state/slack-state.ts';
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
  /** The folder of the built page, served at /. */
  readonly pageFiles?: string;
  /** How long the bot has to acknowledge; Slack's 3,000 ms. */
  readonly ackTimeoutMs?: number;
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
  close(): Promise<void>;
}

const SIGNING_SECRET = 'sandbox-signing-secret';

/** Starts a Slack of one's own on this machine: Web API, Socket Mode, people and a page to be them. */
export async function startLocalSlack(options: LocalSlackOptions): Promise<LocalSlack> {
  const manifest = await readManifest(options.manifestFile);
  const now = options.now ?? Date.now;
  const server = createServer();
  const url = await listen(server, options.port ?? 0);
  const changes = new Changes();
  const sockets = new SocketMode({ changes, ackTimeoutMs: options.ackTimeoutMs ?? 3_000 });
  const slack = createState({
    manifest,
    people: options.people ?? PEOPLE,
    channels: options.channels ?? CHANNELS,
    userGroups: options.userGroups ?? USER_GROUPS,
    sockets,
    changes,
    now,
    origin: url,
  });
  const faults = new SlackFaults(sockets);
  const calls = new CallLog(changes);
  const parts = { slack, faults, calls, now };
  answerRequests(server, new WebApi(parts), new ResponseUrlApi(parts), slack, options.pageFiles);
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
    close: () => close(server, sockets),
  };
}

function answerRequests(
  server: Server,
  webApi: WebApi,
  responseUrls: ResponseUrlApi,
  slack: SlackState,
  pageFiles: string | undefined,
): void {
  const route = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = urlOf(request);
    if (!isForLocalHost(request)) return sendJson(response, 403, { ok: false, error: 'foreign_host' });
    if (pathname.startsWith('/api/')) return answerWebApi(request, response, webApi);
    if (pathname.startsWith('/response/')) return answerResponseUrl(request, response, responseUrls);
    if (pathname.startsWith('/page/')) return answerPage(request, response, slack);
    if (pageFiles !== undefined) return servePageFile(response, pageFiles, pathname);
    return sendJson(response, 404, { ok: false, error: 'not_found' });
  };
  server.on('request', (request, response) => {
    route(request, response).catch((error: unknown) => {
      console.error('the local Slack could not answer a request', { path: urlOf(request).pathname, error });
      if (!response.headersSent) sendJson(response, 500, { ok: false, error: 'fatal_error' });
    });
  });
}

function acceptSockets(server: Server, sockets: SocketMode): void {
  const upgrades = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    const { pathname, searchParams } = urlOf(request);
    const isAdmitted = pathname === '/link/' && sockets.redeemTicket(searchParams.get('ticket') ?? '');
    if (!isAdmitted) socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    else upgrades.handleUpgrade(request, socket, head, (connection) => sockets.accept(connection));
  });
}

function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') return reject(new Error('the server has no port'));
      resolve(`http://127.0.0.1:${address.port}`);
    });
  });
}

async function close(server: Server, sockets: SocketMode): Promise<void> {
  await sockets.close();
  server.closeAllConnections();
  await new Promise<void>((resolve, reject) =>
    server.close((error) => (error === undefined ? resolve() : reject(error))),
  );
}
