import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Registry } from 'prom-client';
import { isReady, type Readiness } from '../health/readiness.ts';
import type { Logger } from '../lib/logger.ts';

export type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface Answering {
  readiness: () => Promise<Readiness>;
  scrape: (() => Promise<string>) | null;
  answerSlack: Answer | null;
  answerDeploys: Answer | null;
}
type Answers = Record<string, Answer | null> & { '*': Answer };

const REQUEST_TIMEOUT_MS = 10_000;

const alive: Answer = async (_, response) => sendJson(response, 200, { alive: true });
const migrating: Answer = async (_, response) => sendJson(response, 503, { migrating: true });

function answersOf({ readiness, scrape, answerSlack, answerDeploys }: Answering): Answers {
  return {
    '/slack/events': answerSlack,
    '/deploys': answerDeploys,
    '/healthz': alive,
    '/readyz': async (_, response) => {
      const state = await readiness();
      sendJson(response, isReady(state) ? 200 : 503, state);
    },
    '/metrics':
      scrape &&
      (async (_, response) => {
        response.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(await scrape());
      }),
    '*': async (_, response) =>
      sendJson(response, 404, { answers: ['/healthz', '/readyz', ...(scrape ? ['/metrics'] : [])] }),
  };
}

/** Before `serve`, it only says that it's alive: a migration may outlast a probe. */
export async function startServer({ host, port, logger }: { host: string | null; port: number; logger: Logger }) {
  let answers: Answers = { '/healthz': alive, '*': migrating };
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    const answer = (Object.hasOwn(answers, path) && answers[path]) || answers['*'];
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
    serve(answering: Answering) {
      answers = answersOf(answering);
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Calls share an answer: anybody may ask, and each costs the database. */
export function together<Result>(ask: () => Promise<Result>): () => Promise<Result> {
  let underway: Promise<Result> | null = null;
  return () => {
    underway ??= ask().finally(() => {
      underway = null;
    });
    return underway;
  };
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
