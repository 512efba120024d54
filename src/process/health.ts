import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import type { Logger } from '../lib/logger.ts';
import { DEPLOYS_PATH } from './deploys.ts';

export interface Readiness {
  /** A socket to Slack is open. In HTTP mode: Slack's requests are accepted. */
  readonly slack: boolean;
  readonly store: boolean;
  readonly disk: boolean;
  /** The loops that haven't succeeded for long. */
  readonly behind: readonly string[];
}

export interface HealthOptions {
  /** 0 picks any free port. */
  readonly port: number;
  readonly isReady: () => Promise<Readiness>;
  readonly registry: Registry;
  /** Handles Slack's requests to `SLACK_PATH`. Null in Socket Mode. */
  readonly answerSlack: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | null;
  /** Handles deploy reports. Null if no token is set, and none are accepted. */
  readonly answerDeploys: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | null;
  readonly logger: Logger;
}

export interface Health {
  readonly port: number;
  close(): Promise<void>;
}

/** The path of the request URL in manifest.http.yml. */
const SLACK_PATH = '/slack/events';

/** Slack sends its requests within moments; a slower sender only blocks a connection. */
const REQUEST_TIMEOUT_MS = 10_000;

export class PortUnavailableError extends Error {
  override readonly name = 'PortUnavailableError';

  constructor(port: number, cause: Error) {
    super(`Port ${port} can't be listened on. Next: stop whatever uses it, or set PORT to another; 0 takes any`, {
      cause,
    });
  }
}

/** Listens on all interfaces. Throws `PortUnavailableError`. */
export async function startHealth(options: HealthOptions): Promise<Health> {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    answer(request, response, options).catch((err: unknown) => {
      options.logger.error({ err }, 'The health server could not answer');
      response.destroy();
    });
  });
  const port = await listen(server, options.port);
  return { port, close: () => close(server) };
}

async function answer(request: IncomingMessage, response: ServerResponse, options: HealthOptions): Promise<void> {
  const { isReady: read, registry, answerSlack, answerDeploys } = options;
  const path = request.url?.split('?', 1)[0];
  if (path === SLACK_PATH && answerSlack !== null) return answerSlack(request, response);
  if (path === DEPLOYS_PATH && answerDeploys !== null) return answerDeploys(request, response);
  switch (path) {
    case '/healthz':
      return sendJson(response, 200, { alive: true });
    case '/readyz': {
      const readiness = await read();
      const { behind, ...working } = readiness;
      const isReady = behind.length === 0 && Object.values(working).every(Boolean);
      return sendJson(response, isReady ? 200 : 503, readiness);
    }
    case '/metrics':
      response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics());
      return;
    default:
      return sendJson(response, 404, { answers: ['/healthz', '/readyz', '/metrics'] });
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port);
  await once(server, 'listening').catch((error: Error) => Promise.reject(new PortUnavailableError(port, error)));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
