import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import type { Logger } from '../lib/logger.ts';

export interface Readiness {
  /** A socket to Slack is open. In HTTP mode: Slack's requests are accepted. */
  readonly slack: boolean;
  readonly store: boolean;
  readonly disk: boolean;
  /** The loops that haven't succeeded for long. */
  readonly behind: readonly string[];
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface HealthOptions {
  /** 0 picks any free port. */
  readonly port: number;
  readonly isReady: () => Promise<Readiness>;
  readonly registry: Registry;
  /** Handles Slack's requests. Null in Socket Mode. */
  readonly answerSlack: Answer | null;
  /** Null if no reports of deploys are accepted. */
  readonly answerDeploys: Answer | null;
  readonly logger: Logger;
}

/** Slack sends its requests within moments; a slower sender only blocks a connection. */
const REQUEST_TIMEOUT_MS = 10_000;

/** Listens on all interfaces. Rejects if the port is taken. */
export async function startHealth(options: HealthOptions) {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    answer(request, response, options).catch((err: unknown) => {
      options.logger.error({ err }, 'The health server could not answer');
      response.destroy();
    });
  });
  server.listen(options.port);
  await once(server, 'listening').catch((cause: unknown) => {
    const next = 'stop whatever uses it, or set PORT to another; 0 takes any';
    throw new Error(`Port ${options.port} can't be listened on. Next: ${next}`, { cause });
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, options: HealthOptions): Promise<void> {
  const { isReady, registry, answerSlack, answerDeploys } = options;
  const path = request.url?.split('?', 1)[0];
  // As in manifest.http.yml.
  if (path === '/slack/events' && answerSlack !== null) return answerSlack(request, response);
  if (path === '/deploys' && answerDeploys !== null) return answerDeploys(request, response);
  if (path === '/healthz') return sendJson(response, 200, { alive: true });
  if (path === '/readyz') {
    const readiness = await isReady();
    const { behind, ...working } = readiness;
    return sendJson(response, behind.length === 0 && Object.values(working).every(Boolean) ? 200 : 503, readiness);
  }
  if (path !== '/metrics') return sendJson(response, 404, { answers: ['/healthz', '/readyz', '/metrics'] });
  response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics());
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
