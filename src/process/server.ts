import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Registry } from 'prom-client';
import { isReady, type Readiness } from '../health/readiness.ts';
import { systemCode } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { SECOND_MS } from '../lib/time/durations.ts';
import type { Sleep } from '../lib/time/waiting.ts';

export type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface Answering {
  readiness: () => Promise<Readiness>;
  scrape: (() => Promise<string>) | null;
  answerSlack: Answer | null;
  answerDeploys: Answer | null;
}
type Answers = Record<string, Answer | null> & { '*': Answer };

/** A request that hasn't arrived whole by then is ended. */
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

interface ServerOptions {
  host: string | null;
  port: number;
  logger: Logger;
  sleep: Sleep;
}

/** Before `serve`, it only says that it's alive: a migration may outlast a probe. */
export interface RunningServer {
  port: number;
  serve(answering: Answering): void;
  close(): Promise<void>;
}

export async function startServer({ host, port, logger, sleep }: ServerOptions): Promise<RunningServer> {
  let answers: Answers = { '/healthz': alive, '*': migrating };
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    const answer = (Object.hasOwn(answers, path) && answers[path]) || answers['*'];
    answer(request, response).catch((err: unknown) => {
      logger.error({ err }, "A request couldn't be answered");
      response.destroy();
    });
  });
  await untilListening(server, { host, port, logger, sleep });
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

/** One a second: for longer than a process that is replaced takes to stop. */
const MOST_TRIES = 30;

async function untilListening(server: Server, { host, port, logger, sleep }: ServerOptions): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      server.listen({ port, ...(host !== null && { host }) });
      await once(server, 'listening');
      return;
    } catch (cause) {
      const next = 'stop whatever uses it, or set PORT to another (0 takes any), or HOST to an address of this machine';
      const problem = `Port ${port} of ${host ?? 'this machine'} can't be listened on. Next: ${next}`;
      if (systemCode(cause) !== 'EADDRINUSE' || tries === MOST_TRIES) throw new Error(problem, { cause });
      if (tries === 1) logger.warn({ port, next }, 'Port taken: waiting until it is free');
    }
    await sleep(SECOND_MS);
  }
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
