import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Registry } from 'prom-client';
import { z } from 'zod';
import { deployName } from '../changes/change.ts';
import { StoreTroubleError } from '../health/store-trouble.ts';
import { type Environment, environmentNamed } from '../lib/environment.ts';
import { InputError } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { jsonIn } from '../lib/text/scrub.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { createPause } from '../lib/time/waiting.ts';

export interface Readiness {
  slack: boolean;
  store: boolean;
  disk: boolean;
  checked: boolean;
  behind: readonly string[];
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface HealthOptions {
  host: string | null;
  port: number;
  isReady: () => Promise<Readiness>;
  scrape: (() => Promise<string>) | null;
  answerSlack: Answer | null;
  answerDeploys: Answer | null;
  logger: Logger;
}

/** A slower sender only blocks a connection. */
const REQUEST_TIMEOUT_MS = 10_000;

export async function startHealth(options: HealthOptions) {
  const { host, port, isReady, scrape, answerSlack, answerDeploys, logger } = options;
  const answers: Readonly<Record<string, Answer | null>> = {
    '/slack/events': answerSlack,
    '/deploys': answerDeploys,
    '/healthz': async (_, response) => sendJson(response, 200, { alive: true }),
    '/readyz': async (_, response) => {
      const readiness = await isReady();
      const { behind, ...working } = readiness;
      sendJson(response, behind.length === 0 && Object.values(working).every(Boolean) ? 200 : 503, readiness);
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
      logger.error({ err }, 'The health server could not answer');
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

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export interface DeploysOptions {
  token: string;
  environments: readonly Environment[];
  noteDeploy(deploy: { environment: string; name: string }): Promise<boolean>;
  logger: Logger;
  now: () => Date;
}

const EXAMPLE = 'checkout 2.3';
const MOST_BYTES = 4_096;

const Report = z.strictObject({ what: z.string(), environment: z.string().optional() });

/** 201: new; 200: just reported; 503: the store is in trouble. */
export function answerDeploys({ token, environments, noteDeploy, logger, now }: DeploysOptions) {
  const quiet = createPause(() => now().getTime());
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // A request that wasn't read to its end has no socket.
    const peer = request.socket.remoteAddress;
    const refuse = (status: number, error: string, details: object = {}): void => {
      // Anyone can send requests without the token.
      const isQuiet = status === 401 && quiet.end() !== null;
      if (!isQuiet) logger.warn({ status, peer }, 'a report of a deploy was refused');
      if (!isQuiet && status === 401) quiet.extend(MINUTE_MS);
      sendJson(response, status, { error, ...details });
    };
    // A scheme has no case (RFC 9110, section 11.1).
    const authorization = (request.headers.authorization ?? '').replace(/^bearer /i, 'Bearer ');
    if (!isSame(authorization, `Bearer ${token}`)) return refuse(401, 'The token is missing or wrong.');
    if (request.method !== 'POST') return refuse(405, 'A deploy is reported by POST.');
    const body = await bodyOf(request);
    if (body === null) {
      response.setHeader('connection', 'close');
      return refuse(413, `A report has at most ${MOST_BYTES} bytes.`);
    }
    try {
      const deploy = readReport(body, environments);
      sendJson(response, (await noteDeploy(deploy)) ? 201 : 200, deploy);
    } catch (error) {
      if (error instanceof StoreTroubleError) return refuse(503, error.message);
      if (!(error instanceof InputError)) throw error;
      const field = error.field === 'env' ? 'environment' : error.field;
      refuse(400, error.message, { field, example: { what: EXAMPLE, environment: environments[0]?.name } });
    }
  };
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

async function bodyOf(request: IncomingMessage): Promise<string | null> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) {
    body += chunk;
    if (Buffer.byteLength(body) > MOST_BYTES) return null;
  }
  return body;
}

function readReport(body: string, environments: readonly Environment[]) {
  const { data } = Report.safeParse(jsonIn(body));
  if (data === undefined) throw new InputError('body', "isn't a JSON object with what and environment, both texts");
  const { what, environment } = data;
  if (environment === undefined && environments.length > 1)
    throw new InputError('environment', `is missing: one of ${environments.map(({ name }) => name).join(', ')}`);
  return { environment: environmentNamed(environment, environments).name, name: deployName(what, EXAMPLE) };
}
