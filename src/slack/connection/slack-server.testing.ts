import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { unobserved } from '../../lib/logger.ts';
import { listenOn } from '../../lib/serve.testing.ts';
import { createSlackConnection, type SlackConnection, type SlackConnectionOptions } from './connection.ts';

export type Answer = (response: ServerResponse, call: { method: string; form: URLSearchParams }) => void;

/** The minimum of Slack that a connection needs, with every kind of misbehavior. Other tests use the sandbox's Slack. */
export interface SlackServer {
  apiUrl: string;
  origin: string;
  /** Set an entry to change the response of a Web API method. Delete it to restore the default. */
  answers: Map<string, Answer>;
  /** Web API methods, in order. */
  calls: string[];
  /** Oldest first. */
  sockets: WebSocket[];
  /** What the bot acknowledged, in order of arrival. */
  acknowledgments: { envelope_id: string; payload: unknown }[];
  /** Whether a new socket gets a hello. */
  greets: boolean;
  send(socket: WebSocket | undefined, message: object): void;
  close(): Promise<void>;
}

export function answering(body: object, status = 200, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

export const hanging: Answer = () => {};

export async function startSlackServer(): Promise<SlackServer> {
  const http = createServer((request, response) => void respond(request, response));
  const websockets = new WebSocketServer({ server: http });
  const port = await listenOn(http);
  const server: SlackServer = {
    origin: `http://127.0.0.1:${port}`,
    apiUrl: `http://127.0.0.1:${port}/api/`,
    answers: new Map(),
    calls: [],
    sockets: [],
    acknowledgments: [],
    greets: true,
    send: (socket, message) => socket?.send(JSON.stringify(message)),
    async close() {
      for (const socket of websockets.clients) socket.terminate();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  const usual: Record<string, Answer> = {
    'auth.test': answering({ ok: true, user_id: 'U0BOT', bot_id: 'B0BOT', team_id: 'T1' }),
    'apps.connections.open': answering({ ok: true, url: `ws://127.0.0.1:${port}/link` }),
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const method = (request.url ?? '').replace(/^\/(api\/)?/, '');
    server.calls.push(method);
    const answer = server.answers.get(method) ?? usual[method] ?? answering({ ok: true });
    answer(response, { method, form: new URLSearchParams(text) });
  }

  websockets.on('connection', (socket) => {
    server.sockets.push(socket);
    socket.on('close', () => server.sockets.splice(server.sockets.indexOf(socket), 1));
    socket.on('message', (data) => server.acknowledgments.push(JSON.parse(String(data))));
    if (server.greets) server.send(socket, { type: 'hello', num_connections: 1 });
  });
  return server;
}

/** A machine that is busy for a moment must not look like a socket without a hello. */
export const TIMING = { backoff: { firstMs: 5, longestMs: 20 }, openTimeoutMs: 60_000, drainMs: 300 };

/** By sockets. */
export function connectionTo(
  { apiUrl }: SlackServer,
  options: Pick<SlackConnectionOptions, 'logger'> & Partial<SlackConnectionOptions>,
): SlackConnection {
  return createSlackConnection({
    botToken: 'xoxb-bot',
    transport: { mode: 'socket', appToken: 'xapp-app' },
    apiUrl,
    storeCode: '1f2e3d4c',
    onFatal: () => {},
    onAcknowledged: () => {},
    observeCalls: unobserved,
    onHello: () => {},
    now: Date.now,
    timing: TIMING,
    ...options,
  });
}
