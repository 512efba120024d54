import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Registry } from 'prom-client';
import { isReady, type Readiness } from '../health/readiness.ts';
import type { Logger } from '../lib/logger.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface ServerOptions {
  host: string | null;
  port: number;
  readiness: () => Promise<Readiness>;
  scrape: (() => Promise<string>) | null;
  answerSlack: Answer | null;
  answerDeploys: Answer | null;
  logger: Logger;
}

/** A slower sender only blocks a connection. */
const REQUEST_TIMEOUT_MS = 10_000;

export async function startServer(options: ServerOptions) {
  const { host, port, readiness, scrape, answerSlack, answerDeploys, logger } = options;
  const answers: Readonly<Record<string, Answer | null>> = {
    '/slack/events': answerSlack,
    '/deploys': answerDeploys,
    '/healthz': async (_, response) => sendJson(response, 200, { alive: true }),
    '/readyz': async (_, response) => {
      const is = await readiness();
      sendJson(response, isReady(is) ? 200 : 503, is);
    },
    '/metrics':
      scrape &&
      (async (_, response) => {
        response.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(await scrape());
      }),
  };
  const unknown: Answer = async (_, response) =>
    sendJson(response, 404, { answers: ['/healthz', '/readyz', ...(scrape ? ['/metrics'] : [])] });
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    const answer = (Object.hasOwn(answers, path) && answers[path]) || unknown;
    answer(request, response).catch((err: unknown) => {
      logger.error({ err }, "A request couldn't be answered");
      response.destroy();
    });
  });
  server.listen({ port, ...(host !== null && { host }) });
  await once(server, 'listening').catch((cause: unknown) => {
    const next = 'stop whatever uses it, or set PORT to another (0 takes any), or HOST to an address of this machine';
    throw new Error(`Port ${port} of ${host ?? 'this machine'} can't be listened on. Next: ${next}`, { cause });
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
