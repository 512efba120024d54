import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen, readBody, urlOf } from '../slack/http/exchange.ts';
import { ApiError, usualRefusal } from './api-error.ts';
import { type Fault, Faults, plannedRefusal } from './faults.ts';
import { type Answer, Idempotency } from './idempotency.ts';
import { keepNumbers, writeNumbers } from './numbers.ts';
import { findOperation, type Operation, type OperationInput, type OperationName } from './operations.ts';
import { beginTraffic, type PastOutage, planOutage } from './traffic.ts';
import { type Query, toQuery } from './validation.ts';
import { type Accidents, type Behavior, World } from './world.ts';

export interface LocalServiceOptions {
  port?: number;
  seed?: number;
  now?: () => number;
  /** Whether events keep arriving. */
  alive?: boolean;
  /** The hours before the start in which events arrived. */
  history?: number;
  accidents?: Partial<Accidents>;
  outages?: readonly PastOutage[];
  /** Whether single answers are wrapped into `{"data": …}`, as in the public implementation (the default), or as the contract shows. */
  envelopes?: boolean;
}

export interface LocalService {
  url: string;
  apiKey: string;
  world: World;
  faults: Faults;
  requests: RequestLog;
  /** Advances the service's clock and runs everything due by then. `advance()` only runs what is due. */
  advance(ms?: number): void;
  behave(change: Partial<Behavior>): void;
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

const API_KEY = 'sandbox-key';
/** Longer than a client keeps an unused connection, so that none is closed under its next request (Node's default: 5 s). */
const KEPT_ALIVE_MS = 60_000;
/** How often a service with traffic does what is due by then, also when nobody asks it. */
const TICK_MS = 250;
const HOUR_MS = 3_600_000;
/** The usual limit of Node's web frameworks; requests that trigger have their own. */
const LARGEST_UPDATE_BYTES = 100 * 1024;

/** Starts a Notification Service on 127.0.0.1. Rejects with the system's error (`EADDRINUSE`, …) if it can't listen. */
export async function startLocalService(options: LocalServiceOptions = {}): Promise<LocalService> {
  const { port = 0, seed = 1, now = Date.now, alive = false, history = 0, envelopes = true } = options;
  let aheadMs = 0;
  const clock = () => now() + aheadMs;
  const world = new World({ seed, now: clock });
  const catchUp = () => world.agenda.runUntil(clock());
  const present = clock();
  for (const outage of options.outages ?? []) planOutage(world, outage);
  if (history > 0 || alive)
    beginTraffic(world, present - history * HOUR_MS, alive ? Number.POSITIVE_INFINITY : present, options.accidents);
  catchUp();
  const state = { world, faults: new Faults(), requests: new RequestLog(), idempotency: new Idempotency(), envelopes };
  const server = createServer({ keepAliveTimeout: KEPT_ALIVE_MS }, (request, response) => {
    catchUp();
    void respond(state, request, response);
  });
  const url = await listen(server, port);
  const ticking = alive ? setInterval(catchUp, TICK_MS) : undefined;
  return {
    url,
    apiKey: API_KEY,
    world,
    faults: state.faults,
    requests: state.requests,
    advance: (ms = 0) => {
      aheadMs += ms;
      catchUp();
    },
    behave: (change) => void world.behave(change),
    goAway: () => close(server),
    comeBack: async () => {
      if (!server.listening) await listen(server, Number(new URL(url).port));
    },
    close: () => {
      clearInterval(ticking);
      return close(server);
    },
  };
}

function close(server: Server): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}

interface RecordedRequest {
  operation: OperationName;
  at: number;
  path: string;
  query: Query;
  body: unknown;
  key: string | undefined;
}

/** Older entries are dropped, so that a sandbox that runs for a week doesn't grow. */
const MOST_KEPT = 10_000;

class RequestLog extends Array<RecordedRequest> {
  record(request: RecordedRequest): void {
    this.push(request);
    if (this.length > MOST_KEPT) this.shift();
  }

  count(operation: OperationName): number {
    return this.filter((request) => request.operation === operation).length;
  }

  clear(): void {
    this.length = 0;
  }
}

interface State extends Pick<LocalService, 'world' | 'faults' | 'requests'> {
  idempotency: Idempotency;
  envelopes: boolean;
}

interface Call extends OperationInput {
  operation: Operation;
  key: string | undefined;
  fault: Fault | undefined;
}

async function respond(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { world } = state;
  response.sendDate = false;
  if (world.behavior.dates === 'stated') response.setHeader('Date', new Date(world.now()).toUTCString());
  try {
    const call = await receive(state, request);
    const { fault, key, body: sent } = call;
    const isReplaced = fault !== undefined && replaceAnswer(fault, response);
    if (isReplaced) return;
    const act = () => answer(state, call);
    const once = key === undefined ? act() : state.idempotency.once(key, JSON.stringify(sent), act);
    const { status, body } = await once;
    if (fault?.kind === 'lost answer') response.destroy();
    else send(response, status, body);
  } catch (error) {
    // The caller may have disconnected while still sending, so that there is nobody to answer.
    if (request.destroyed && !request.complete) return;
    refuse(response, request.url ?? '/', toApiError(error), world.now());
  }
}

async function answer({ world, envelopes }: State, { operation, fault, ...input }: Call): Promise<Answer> {
  if (fault?.kind === 'slow') await sleep(fault.ms, undefined, { ref: false });
  if (fault?.kind === 'status') throw plannedRefusal(fault, operation.name);
  const value = operation.answer(world, input);
  const body = JSON.stringify(operation.isWrapped && envelopes ? { data: value } : value);
  return { status: operation.status, body: writeNumbers(body) };
}

async function receive({ world, faults, requests }: State, request: IncomingMessage): Promise<Call> {
  const { method = 'GET', headers } = request;
  const url = urlOf(request);
  const bytes = await readBody(request);
  const match = findOperation(method, url.pathname);
  if (!match) throw new ApiError(404, `Cannot ${method} ${url.pathname}`);
  authorize(headers.authorization);
  const { operation, path } = match;
  const largest = operation.name === 'triggerEvents' ? world.behavior.largestTriggerBytes : LARGEST_UPDATE_BYTES;
  if (bytes.length > largest) throw new ApiError(413, 'Payload Too Large');
  const key = method === 'GET' ? undefined : headers['idempotency-key']?.toString();
  const input = { query: toQuery(url.searchParams), body: parseJson(bytes.toString('utf8')) };
  requests.record({ operation: operation.name, at: world.now(), path: url.pathname, ...input, key });
  const knownFilters = Object.entries(input.query).filter(([name]) => !world.behavior.ignores.includes(name));
  const query = Object.fromEntries(knownFilters);
  return { ...input, query, operation, path, key, fault: faults.take(operation.name) };
}

function authorize(header: string | undefined): void {
  if (header === undefined) throw new ApiError(401, 'Missing authorization header');
  const [scheme = ''] = header.split(' ');
  if (scheme === 'Bearer') throw new ApiError(401, 'Unauthorized');
  // The service's error repeats a key that is sent without a scheme.
  if (scheme !== 'ApiKey') throw new ApiError(401, `Invalid authentication scheme: "${scheme}"`);
  if (header !== `ApiKey ${API_KEY}`) throw new ApiError(401, 'API Key not found');
}

function parseJson(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(keepNumbers(text));
  } catch (error) {
    throw error instanceof SyntaxError ? new ApiError(400, error.message) : error;
  }
}

/** Carries out a fault that keeps the request from being handled. Returns whether it is one: of the others, nothing is done here. */
function replaceAnswer(fault: Fault, response: ServerResponse): boolean {
  if (fault.kind === 'reset') response.destroy();
  if (fault.kind === 'html') send(response, fault.status, gatewayPage(fault.status), {}, 'text/html');
  if (fault.kind === 'body') send(response, fault.status, fault.body, {}, fault.contentType);
  return ['hang', 'reset', 'html', 'body'].includes(fault.kind);
}

function refuse(response: ServerResponse, path: string, refusal: ApiError, at: number): void {
  if (response.headersSent || response.destroyed) return;
  const { status, message, details, headers } = refusal;
  // Only these errors are also named in a field.
  const timestamp = new Date(at).toISOString();
  const errorField = [400, 401, 404, 409].includes(status) && { error: STATUS_CODES[status] };
  const body = { ...errorField, statusCode: status, timestamp, path, message, ...details };
  send(response, status, JSON.stringify(body), headers);
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  console.error('The local service broke', error);
  return usualRefusal(500);
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
  contentType = 'application/json; charset=utf-8',
): void {
  response.writeHead(status, { 'Content-Type': contentType, ...headers }).end(body);
}

function gatewayPage(status: number): string {
  const reason = `${status} ${{ 502: 'Bad Gateway', 503: 'Service Temporarily Unavailable' }[status] ?? 'Gateway Time-out'}`;
  return `<html><head><title>${reason}</title></head><body><center><h1>${reason}</h1></center><hr>nginx</body></html>`;
}
