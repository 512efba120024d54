import type { Environment } from '../lib/environment.ts';
import { type Logger, type Observer, unobserved } from '../lib/logger.ts';
import { jsonText } from '../lib/text/json-text.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { clockAhead } from '../lib/time/service-clock.ts';
import { type Sleep, sleep as sleepFor } from '../lib/time/waiting.ts';
import { classify } from './classify.ts';
import { type ExchangeOutcome, exchange } from './exchange.ts';
import { createLimiter, type Limiter, pausesOf, retryAfterMs } from './limits.ts';
import type { WriteName } from './problem-words.ts';
import type { Call, Page } from './query.ts';
import type { Parse } from './schema.ts';
import { ServiceError, type ServiceProblem } from './service-error.ts';

/** For a request with its retries, by who asks. */
const TOTAL_MS = { person: 25_000, poller: MINUTE_MS };
/** With less time left, it isn't tried again. */
const SHORTEST_TRY_MS = 1_000;
/** Then the person hears that too many requests wait. */
const LONGEST_QUEUED_MS = { person: 8_000, poller: MINUTE_MS };
const MAX_RETRIES = 2;
/** A service that wants a longer pause is asked at the next occasion. */
const LONGEST_WAIT_MS = 10_000;
const FIRST_BACKOFF_MS = 250;

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
    // A 429 isn't a try: the request wasn't carried out.
    const tries = { failed: 0, limited: 0 };
    for (;;) {
      const queuedMs = Math.min(LONGEST_QUEUED_MS[call.who], deadline - now());
      const busy = new ServiceError(environment, name, { kind: 'busy' });
      const retries = tries.failed + tries.limited;
      const outcome = await limiter.run(call, queuedMs, busy, () => attempt(operation, call, deadline, retries));
      const answer = await classify(outcome, { fieldsAsText, parse, apiKey, now: now() });
      if (answer.kind === 'not-found') return null;
      if (answer.kind === 'read') return answer.result;
      const problem: ServiceProblem = answer;
      if (problem.kind === 'unreadable' && problem.wrong !== null) logWrong(name, problem.wrong);
      const waitMs = Math.max(wantedPauseMs(outcome, problem, now()), FIRST_BACKOFF_MS * 2 ** retries);
      const hasTime = waitMs <= LONGEST_WAIT_MS && now() + waitMs + SHORTEST_TRY_MS <= deadline;
      const kind = problem.kind === 'rate-limited' ? 'limited' : 'failed';
      if (tries[kind] >= MAX_RETRIES || !mayRetry(problem, isWrite) || !hasTime) {
        const outcomeUnknown = isWrite && isOutcomeUnknown(outcome);
        // The cause is only the system's code: fetch's error holds the address.
        const cause = outcome.kind === 'disconnected' ? new Error(outcome.code ?? 'closed') : undefined;
        throw new ServiceError(environment, name, problem, { outcomeUnknown, cause });
      }
      tries[kind] += 1;
      await sleep(waitMs, call.signal);
      call.signal?.throwIfAborted();
    }
  }

  /** A write in flight isn't aborted: its answer shows its outcome. */
  async function attempt(
    operation: Operation<unknown>,
    { signal }: Call,
    deadline: number,
    retries: number,
  ): Promise<ExchangeOutcome> {
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
    if (method === 'GET') limiter.hold(pausesOf(outcome.status, outcome.headers, now()));
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

/** How long the service wants a request to wait. */
function wantedPauseMs(outcome: ExchangeOutcome, problem: ServiceProblem, now: number): number {
  if (problem.kind === 'rate-limited') return problem.retryAfterMs;
  return (outcome.kind === 'answered' ? retryAfterMs(outcome.headers, now) : null) ?? 0;
}

/** A write is repeated only after a 429: it wasn't carried out. */
function mayRetry(problem: ServiceProblem, isWrite: boolean): boolean {
  if (problem.kind === 'rate-limited') return true;
  const isTemporary = ['timed-out', 'unreachable', 'service-error'].includes(problem.kind);
  return !isWrite && (isTemporary || (problem.kind === 'gateway' && problem.status >= 500));
}

/**
 * Whether a write that failed may have been carried out. With a 2xx, it was, but its answer couldn't be read. With a 409, a request of the same
 * idempotency key is still in progress.
 */
function isOutcomeUnknown(outcome: ExchangeOutcome): boolean {
  if (outcome.kind === 'timed-out') return true;
  if (outcome.kind === 'disconnected') return outcome.mayHaveArrived;
  const { status } = outcome;
  return status < 300 || status === 408 || status === 409 || status >= 500;
}
