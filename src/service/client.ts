import { ofetch } from 'ofetch';
import type { Environment } from '../lib/environment.ts';
import { ServiceError, type ServiceProblem, systemCode, wasNeverConnected } from '../lib/errors.ts';
import { type Logger, type Observer, unobserved } from '../lib/logger.ts';
import { withPauses } from '../lib/pauses.ts';
import { jsonText, writingFieldsAsText } from '../lib/text/json-text.ts';
import { parsingJson } from '../lib/text/large-json.ts';
import { maskValues } from '../lib/text/mask.ts';
import { isObject } from '../lib/text/payload.ts';
import { scrub } from '../lib/text/scrub.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { clockAhead } from '../lib/time/service-clock.ts';
import { type Sleep, sleep as sleepFor } from '../lib/time/waiting.ts';
import { abortAfter, createLimiter, holdsOf, type Limiter, RATE_WINDOW_MS, retryAfterMs } from './limits.ts';
import { WEB_PAGE, type WriteName } from './problem-words.ts';
import type { Call, Page } from './query.ts';
import { errorIdOf, type Parse, wrongIn } from './schema.ts';

type NamedMethod = { method: 'GET'; name: string } | { method: 'POST' | 'PATCH'; name: WriteName };

export type Operation<Result> = NamedMethod & {
  path: string;
  body?: object;
  /** The fields of its answer that `parse` gets as JSON, since parsing changes numbers. */
  fieldsAsText?: readonly string[];
  idempotencyKey?: string;
  parse: Parse<Result>;
};

export interface ClientOptions {
  environment: Environment;
  url: string;
  apiKey: string;
  logger: Logger;
  limiter?: Limiter;
  observe?: Observer;
  timeoutMs?: number;
  exchange?: typeof exchange;
  sleep?: Sleep;
  now?: () => number;
}

export interface Client {
  ask<Result>(operation: Operation<Result>, call: Call): Promise<Result | null>;
  /** Logs what of the page couldn't be read. */
  askPage<Item>(operation: Operation<Page<Item>>, call: Call): Promise<Page<Item> | null>;
  clockAheadMs(): number | null;
  heldForMs(): number;
}

const TOTAL_MS = { person: 25_000, poller: MINUTE_MS };
const SHORTEST_TRY_MS = 1_000;
const LONGEST_QUEUED_MS = { person: 8_000, poller: MINUTE_MS };
const MAX_RETRIES = 2;
const LONGEST_WAIT_MS = 10_000;
const FIRST_BACKOFF_MS = 250;

export function createClient(options: ClientOptions): Client {
  const { apiKey, limiter = createLimiter(), logger, observe = unobserved, timeoutMs = 10_000 } = options;
  const { exchange: send = exchange, sleep = sleepFor, now = Date.now } = options;
  const environment = options.environment.name;
  let aheadMs: number | null = null;
  const loggedWrongs = new Set<string>();

  async function ask<Result>(operation: Operation<Result>, call: Call): Promise<Result | null> {
    const { name, method, parse, fieldsAsText = [] } = operation;
    const isWrite = method !== 'GET';
    const deadline = now() + TOTAL_MS[call.who];
    for (let [retries, limited] = [0, 0]; ; retries++) {
      const queuedMs = Math.min(LONGEST_QUEUED_MS[call.who], deadline - now());
      const busy = new ServiceError(environment, name, { kind: 'busy' });
      const outcome = await limiter.run(call, queuedMs, busy, () => attempt(operation, call, deadline, retries));
      const problem = await classify(outcome, { fieldsAsText, parse, apiKey, now: now() });
      if (problem.kind === 'not-found') return null;
      if (problem.kind === 'read') return problem.result;
      if (problem.kind === 'unreadable' && problem.wrong !== null) logWrong(name, problem.wrong);
      const retryMs = outcome.kind === 'answered' ? retryAfterMs(outcome.headers, now()) : null;
      const leastMs = problem.kind === 'rate-limited' ? problem.retryAfterMs : (retryMs ?? 0);
      const waitMs = Math.max(leastMs, FIRST_BACKOFF_MS * 2 ** retries);
      const hasTime = waitMs <= LONGEST_WAIT_MS && now() + waitMs + SHORTEST_TRY_MS <= deadline;
      // A 429 isn't a try: the request wasn't carried out.
      const retriesOfKind = problem.kind === 'rate-limited' ? limited++ : retries - limited;
      if (retriesOfKind >= MAX_RETRIES || !mayRetry(problem, isWrite) || !hasTime) {
        const outcomeUnknown = isWrite && isOutcomeUnknown(outcome);
        // The cause is only the system's code: fetch's error holds the address.
        const cause = outcome.kind === 'disconnected' ? new Error(outcome.code ?? 'closed') : undefined;
        throw new ServiceError(environment, name, problem, { outcomeUnknown, cause });
      }
      await sleep(waitMs, call.signal);
      call.signal?.throwIfAborted();
    }
  }

  /** A write in flight isn't aborted: its answer shows its outcome. */
  async function attempt(operation: Operation<unknown>, { signal }: Call, deadline: number, retries: number) {
    const { name, method, path, body, idempotencyKey } = operation;
    const startedAt = now();
    const observeEnd = observe(name);
    const headers = {
      accept: 'application/json',
      authorization: `ApiKey ${apiKey}`,
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    const request = { method, url: options.url + path, headers, ...(body && { body: jsonText(body) }) };
    const abortable = method === 'GET' ? signal : undefined;
    const outcome = await send(request, Math.min(timeoutMs, deadline - startedAt), abortable);
    const ended = outcome.kind === 'answered' ? `${outcome.status}` : outcome.kind;
    observeEnd(ended);
    const fields = { operation: name, environment, outcome: ended, ms: now() - startedAt, attempt: retries + 1 };
    logger.debug(fields, 'Asked the Notification Service');
    if (outcome.kind !== 'answered') return outcome;
    aheadMs = clockAhead(outcome.headers.get('date'), startedAt, now()) ?? aheadMs;
    // Writes have rate limit windows of their own.
    if (method === 'GET') limiter.hold(holdsOf(outcome.status, outcome.headers, now()));
    return outcome;
  }

  function logWrong(operation: string, field: string) {
    const wrong = `${operation} ${field}`;
    if (!loggedWrongs.has(wrong))
      logger.warn({ environment, operation, field }, "An item or answer isn't what the contract says");
    loggedWrongs.add(wrong);
  }

  async function askPage<Item>(operation: Operation<Page<Item>>, call: Call): Promise<Page<Item> | null> {
    const page = await ask(operation, call);
    for (const { wrong = '' } of page?.unreadable ?? []) logWrong(operation.name, wrong);
    return page;
  }

  return { ask, askPage, clockAheadMs: () => aheadMs, heldForMs: limiter.heldForMs };
}

/** A write is repeated only after a 429: it wasn't carried out. */
function mayRetry(problem: ServiceProblem, isWrite: boolean) {
  if (problem.kind === 'rate-limited') return true;
  const isTemporary = ['timed-out', 'unreachable', 'service-error'].includes(problem.kind);
  return !isWrite && (isTemporary || (problem.kind === 'gateway' && problem.status >= 500));
}

type Answer<Result> = { kind: 'read'; result: Result } | { kind: 'not-found' } | ServiceProblem;

const GATEWAY_STATUSES = new Set([400, 401, 403, 404]);
const REFUSING_STATUSES = new Set([400, 409, 413, 422]);
const MARKUP = /^\s{0,100}</;
/** NestJS and Express answer like this for an unknown path. */
const MISSING_ROUTE = /^Cannot (?:GET|POST|PATCH) /;

interface Reading<Result> extends Required<Pick<Operation<Result>, 'parse' | 'fieldsAsText'>> {
  apiKey: string;
  now: number;
}

async function classify<Result>(
  outcome: ExchangeOutcome,
  { fieldsAsText, parse, apiKey, now }: Reading<Result>,
): Promise<Answer<Result>> {
  if (outcome.kind === 'timed-out') return outcome;
  if (outcome.kind === 'disconnected') return { kind: 'unreachable', code: outcome.code };
  const { status, headers, text } = outcome;
  const readable = await withPauses(writingFieldsAsText(text ?? '', fieldsAsText));
  const body = await withPauses(parsingJson(readable));
  if (status >= 200 && status < 300) {
    if (body === undefined && status !== 204) {
      const wrong = text === null ? OVERSIZED : MARKUP.test(text) ? WEB_PAGE : null;
      return { kind: 'unreadable', status, wrong };
    }
    const { success, data, error } = await parse(unwrap(body));
    return success ? { kind: 'read', result: data } : { kind: 'unreadable', status, wrong: wrongIn(error) };
  }
  const explained = parseErrorBody(body, apiKey);
  const { message = '', errorId = null } = explained ?? {};
  const isGateway = explained === null ? MARKUP.test(text ?? '') : status === 404 && MISSING_ROUTE.test(message);
  if (isGateway && GATEWAY_STATUSES.has(status)) return { kind: 'gateway', status };
  if (status === 404) return { kind: 'not-found' };
  if (status === 401) return { kind: 'key-refused', status };
  if (status === 403) return { kind: 'key-refused', status, ...(message && { message }) };
  if (status === 402) return { kind: 'beyond-plan', message };
  if (status === 429) return { kind: 'rate-limited', retryAfterMs: retryAfterMs(headers, now) ?? RATE_WINDOW_MS };
  if (explained === null && !REFUSING_STATUSES.has(status)) return { kind: 'gateway', status };
  return status >= 500 ? { kind: 'service-error', status, errorId } : { kind: 'refused', status, message };
}

/** A bare subscriber has a field `data` of its own (docs/service.md). */
function unwrap(body: unknown): unknown {
  return isObject(body) && 'data' in body && Object.keys(body).length === 1 ? body.data : body;
}

const MAX_FIELDS = 10;
const ERROR_ID = /^[\w-]{1,64}$/;

/** Returns null if a gateway or proxy answered. Ignores values of `errors`: they repeat the request. */
function parseErrorBody(body: unknown, apiKey: string) {
  if (!isObject(body)) return null;
  const { statusCode, message, errors, errorId } = body;
  const messages = textsIn(message);
  if (messages.length === 0 && !statusCode && !errorId) return null;
  const fields = Object.entries(isObject(errors) ? errors : {}).slice(0, MAX_FIELDS);
  const reasons = fields.flatMap(([name, error]) => {
    const texts = isObject(error) ? textsIn(error.messages) : [];
    if (name === 'general') return texts;
    return texts.length === 0
      ? `${name}: invalid`
      : texts.map((text) => (text.includes(name) ? text : `${name}: ${text}`));
  });
  return {
    message: scrub(maskValues((reasons.length === 0 ? messages : reasons).join('; '), [apiKey])),
    errorId: typeof errorId === 'string' && ERROR_ID.test(errorId) ? errorIdOf(errorId) : null,
  };
}

function textsIn(value: unknown) {
  return [value].flat().flatMap((words) => (typeof words === 'string' && words !== '' ? words : []));
}

function isOutcomeUnknown(outcome: ExchangeOutcome) {
  if (outcome.kind === 'timed-out') return true;
  if (outcome.kind === 'disconnected') return outcome.mayHaveArrived;
  const { status } = outcome;
  return status < 300 || status === 408 || status === 409 || status >= 500;
}

interface HttpRequest {
  method: 'GET' | 'POST' | 'PATCH';
  url: string;
  headers: Record<string, string>;
  body?: string;
}

type ExchangeOutcome =
  | { kind: 'answered'; status: number; headers: Headers; text: string | null }
  | { kind: 'timed-out' }
  | { kind: 'disconnected'; code: string | null; mayHaveArrived: boolean };

export const OVERSIZED = 'more than 32 MB';
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Rejects only with the signal's reason: ofetch's errors hold the address. A redirect isn't followed: the key would leak. */
export async function exchange(
  { url, ...request }: HttpRequest,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<ExchangeOutcome> {
  const end = abortAfter(timeoutMs, signal);
  const fixed = { retry: false, redirect: 'manual', responseType: 'stream', ignoreResponseError: true } as const;
  try {
    const response = await ofetch.raw<unknown, 'stream'>(url, { ...request, ...fixed, signal: end.signal });
    const { status, headers, body } = response;
    return { kind: 'answered', status, headers, text: await readText(body) };
  } catch (error) {
    signal?.throwIfAborted();
    if (end.signal.aborted) return { kind: 'timed-out' };
    return { kind: 'disconnected', code: systemCode(error), mayHaveArrived: !wasNeverConnected(error) };
  } finally {
    end.cancel();
  }
}

async function readText(body: ReadableStream<Uint8Array> | null) {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
