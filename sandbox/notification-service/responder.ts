import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, type Faults, refusalOf } from './faults.ts';
import { Idempotency, RateLimits, type RequestLog } from './gate.ts';
import {
  ApiError,
  answer,
  errorEnvelope,
  gatewayPage,
  internalError,
  newErrorId,
  parseJson,
  readBody,
  requireJson,
} from './http.ts';
import { findOperation, type Operation, type OperationInput } from './operations.ts';
import { toQuery } from './validation.ts';
import type { World } from './world.ts';

export interface ResponderParts {
  apiKey: string;
  world: World;
  faults: Faults;
  requests: RequestLog;
  catchUp: () => void;
  rateLimits?: boolean;
  envelopes?: boolean;
}

interface Call extends OperationInput {
  operation: Operation;
  key: string | undefined;
  fault: Fault | undefined;
}

/**
 * Creates the handler of every HTTP request. It checks in the order of the real service: key, rate limit, idempotency, operation.
 */
export function createResponder(
  parts: ResponderParts,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const limits = new RateLimits();
  const memory = new Idempotency();

  return async (request, response) => {
    try {
      parts.catchUp();
      response.setHeader('Date', new Date(parts.world.now()).toUTCString());
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      const call = await receive(parts, request, url);
      if (call.fault && !(await passesDoor(call.fault, response))) return;
      giveAnswer(response, call, await carryOut(call, response), parts.envelopes ?? true);
    } catch (error) {
      if (hungUp(request)) return;
      refuse(response, request.url ?? '/', toApiError(error), parts.world.now());
    }
  };

  async function carryOut(call: Call, response: ServerResponse): Promise<unknown> {
    const { operation, key, body } = call;
    const now = parts.world.now();
    if (parts.rateLimits) setHeaders(response, limits.take(operation.cost, now));
    const remembers = operation.method !== 'GET';
    if (key === undefined || !remembers) return await perform(parts.world, call);
    setHeaders(response, { 'Idempotency-Key': key });
    if (memory.isRepeat(key, body, now)) setHeaders(response, { 'Idempotency-Replay': 'true' });
    return await memory.once(key, body, now, () => perform(parts.world, call));
  }
}

function setHeaders(response: ServerResponse, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

async function receive(parts: ResponderParts, request: IncomingMessage, url: URL): Promise<Call> {
  const rawBody = await readBody(request);
  const found = findOperation(request.method ?? 'GET', url.pathname);
  if (!found) throw new ApiError(404, `Cannot ${request.method} ${url.pathname}`);
  authorize(request.headers.authorization, parts.apiKey);
  const { operation, path } = found;
  if (operation.method !== 'GET') requireJson(request);
  const header = request.headers['idempotency-key'];
  const key = Array.isArray(header) ? header[0] : header;
  const input = { query: toQuery(url.searchParams), body: parseJson(rawBody) };
  parts.requests.record({
    operation: operation.name,
    at: parts.world.now(),
    path: url.pathname,
    ...input,
    ...(key !== undefined && { key }),
  });
  return { ...input, operation, path, key, fault: parts.faults.take(operation.name, input.query.page) };
}

function authorize(header: string | undefined, apiKey: string): void {
  if (header === undefined) throw new ApiError(401, 'Unauthorized');
  if (!header.startsWith('ApiKey ')) throw new ApiError(401, 'Invalid authentication scheme');
  if (header !== `ApiKey ${apiKey}`) throw new ApiError(401, 'API Key not found');
}

/** Applies a fault that comes before the operation. Returns false if nothing more is to be sent. */
async function passesDoor(fault: Fault, response: ServerResponse): Promise<boolean> {
  if (fault.kind === 'hang') return false;
  if (fault.kind === 'reset') response.destroy();
  if (fault.kind === 'html') answer(response, fault.status, gatewayPage(fault.status), {}, 'text/html');
  if (fault.kind === 'words') answer(response, fault.status, fault.body, {}, fault.contentType);
  if (fault.kind === 'status' && fault.status !== 500) throw refusalOf(fault);
  return fault.kind !== 'reset' && fault.kind !== 'html' && fault.kind !== 'words';
}

/** Runs the operation. Slow answers and 500s happen here, so that an idempotency key covers both. */
async function perform(world: World, { operation, fault, ...input }: Call): Promise<unknown> {
  if (fault?.kind === 'slow') await sleep(fault.ms, undefined, { ref: false });
  if (fault?.kind === 'status') throw refusalOf(fault);
  return operation.answer(world, input);
}

function giveAnswer(response: ServerResponse, { operation, fault }: Call, value: unknown, envelopes: boolean): void {
  const body = JSON.stringify(operation.wrapped && envelopes ? { data: value } : value);
  if (fault?.kind === 'lost answer') response.destroy();
  else if (fault?.kind === 'empty') answer(response, fault.status, '');
  else if (fault?.kind === 'nonsense') answer(response, operation.status, '{"data": [{"_id": "65');
  else if (fault?.kind === 'wrong shape') answer(response, operation.status, '{"items":"none","ok":"yes"}');
  else answer(response, operation.status, body);
}

/** Returns whether the caller disconnected while still sending, so that there is nobody to answer. */
function hungUp(request: IncomingMessage): boolean {
  return request.destroyed && !request.complete;
}

function refuse(response: ServerResponse, path: string, error: ApiError, at: number): void {
  if (response.headersSent || response.destroyed) return;
  answer(response, error.status, JSON.stringify(errorEnvelope(error, path, at)), error.headers);
}

/** Converts the sandbox's own errors to one of the service's, and prints them for the developer. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const errorId = newErrorId();
  console.error('The local service broke', { errorId, error });
  return internalError(errorId);
}
