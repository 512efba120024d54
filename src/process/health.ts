import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import type { Logger } from '../lib/logger.ts';

export interface Readiness {
  readonly slack: boolean;
  readonly store: boolean;
  readonly disk: boolean;
  readonly behind: readonly string[];
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface HealthOptions {
  readonly port: number;
  readonly isReady: () => Promise<Readiness>;
  readonly registry: Registry;
  readonly answerSlack: Answer | null;
  readonly answerDeploys: Answer | null;
  readonly logger: Logger;
}

/** A slower sender only blocks a connection. */
const REQUEST_TIMEOUT_MS = 10_000;

export async function startHealth({ port, isReady, registry, answerSlack, answerDeploys, logger }: HealthOptions) {
  const answers: Readonly<Record<string, Answer | null>> = {
    '/slack/events': answerSlack,
    '/deploys': answerDeploys,
    '/healthz': async (_, response) => sendJson(response, 200, { alive: true }),
    '/readyz': async (_, response) => {
      const readiness = await isReady();
      const { behind, ...working } = readiness;
      sendJson(response, behind.length === 0 && Object.values(working).every(Boolean) ? 200 : 503, readiness);
    },
    '/metrics': async (_, response) => {
      response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics());
    },
  };
  const unknown: Answer = async (_, response) =>
    sendJson(response, 404, { answers: ['/healthz', '/readyz', '/metrics'] });
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    const answer = (Object.hasOwn(answers, path) && answers[path]) || unknown;
    answer(request, response).catch((err: unknown) => {
      logger.error({ err }, 'The health server could not answer');
      response.destroy();
    });
  });
  server.listen(port);
  await once(server, 'listening').catch((cause: unknown) => {
    const next = 'stop whatever uses it, or set PORT to another; 0 takes any';
    throw new Error(`Port ${port} can't be listened on. Next: ${next}`, { cause });
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
