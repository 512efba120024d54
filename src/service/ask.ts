import type { Environment } from '../lib/environment.ts';
import { ServiceError, type ServiceProblem } from '../lib/errors.ts';
import { type Logger, type Observer, unobserved } from '../lib/logger.ts';
import { clockAhead } from '../lib/time/service-clock.ts';
import { sleep as sleepFor } from '../lib/time/waiting.ts';
import { classify, isOutcomeUnknown } from './answer.ts';
import { exchange, type HttpRequest } from './exchange.ts';
import { type Limiter, parseAllowance, retryAfterMs } from './limits.ts';
import type { Call } from './query.ts';
import type { BodyReader } from './reader.ts';

export interface Operation<Result> extends Pick<HttpRequest, 'method' | 'body'> {
  readonly name: string;
  readonly path: string;
  readonly idempotencyKey?: string;
  readonly read: BodyReader<Result>;
}

export interface AskOptions {
  readonly environment: Environment;
  readonly url: string;
  /** Called for each try, since the key can be replaced while Notif runs. */
  readonly apiKey: () => string;
  readonly logger: Logger;
  readonly limiter: Limiter;
  /** Observes each request by its operation. It ends with an HTTP status, `timed-out` or `disconnected`. */
  readonly observe?: Observer;
  /** The time-out of one request including its whole response. */
  readonly timeoutMs?: number;
  readonly exchange?: typeof exchange;
  readonly random?: () => number;
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly now?: () => number;
  /** The clock that the service's is compared with. */
  readonly clock?: () => number;
}

/** The time for all tries together. A person gets a reply, even if it's an error; the poller will try again anyway. */
const TOTAL_MS = { person: 25_000, poller: 60_000 };
/** With less time left, another try would only time out. */
const SHORTEST_TRY_MS = 1_000;
const MAX_RETRIES = 2;
/** If the service asks for a longer wait, Notif reports when to retry instead of waiting. */
const LONGEST_WAIT_MS = 10_000;
const FIRST_BACKOFF_MS = 500;

export function createAsk(options: AskOptions) {
  const { apiKey, limiter, logger, observe = unobserved, timeoutMs = 10_000 } = options;
  const { exchange: send = exchange, random = Math.random, sleep = sleepFor, now = Date.now, clock = now } = options;
  const environment = options.environment.name;
  const base = options.url.replace(/\/+$/, '');
  let aheadMs: number | null = null;
  /** The schemas bound the number of names. */
  const loggedFields = new Set<string>();

  /** Retries as needed and allowed. Returns null for a 404; rejects with `ServiceError`, or with the signal's reason. */
  async function ask<Result>(operation: Operation<Result>, call: Call): Promise<Result | null> {
    const { name, method, read } = operation;
    const isWrite = method !== 'GET';
    const startedAt = now();
    const deadline = startedAt + TOTAL_MS[call.who];
    for (let retries = 0; ; retries++) {
      const busy = (waitedMs: number) => new ServiceError(environment, name, { kind: 'busy', waitedMs });
      const caller = { ...call, maxWaitMs: deadline - now(), busy };
      const outcome = await limiter.run(caller, () => attempt(operation, call, deadline, retries));
      const headers = outcome.kind === 'answered' ? outcome.headers : null;
      // Writes have their own rate limit windows, which don't show how much the poller can read.
      if (outcome.kind === 'answered' && !isWrite) {
        limiter.observe(parseAllowance(outcome.status, outcome.headers, now()));
      }
      const problem = classify(outcome, read, now());
      if (problem.kind === 'not-found') return null;
      if (problem.kind === 'read') {
        for (const field of problem.odd) noteOddField(name, field);
        return problem.result;
      }
      if (problem.kind === 'unreadable' && problem.wrong !== null) noteOddField(name, problem.wrong);
      const backoffMs = random() * FIRST_BACKOFF_MS * 2 ** retries;
      const askedMs = (headers && retryAfterMs(headers, now())) ?? 0;
      const waitMs = problem.kind === 'rate-limited' ? problem.retryAfterMs : Math.max(askedMs, backoffMs);
      const hasTime = waitMs <= LONGEST_WAIT_MS && now() + waitMs + SHORTEST_TRY_MS <= deadline;
      if (retries >= MAX_RETRIES || !mayRetry(problem, isWrite) || !hasTime) {
        // Of a time-out, the caller waited for all tries.
        const told = problem.kind === 'timed-out' ? { ...problem, afterMs: now() - startedAt } : problem;
        const outcomeUnknown = isWrite && isOutcomeUnknown(outcome);
        // Only the system's code: fetch's own error holds the address.
        const cause = outcome.kind === 'disconnected' ? new Error(outcome.code ?? 'closed') : undefined;
        throw new ServiceError(environment, name, told, { outcomeUnknown, cause });
      }
      await sleep(waitMs, call.signal);
      call.signal?.throwIfAborted();
    }
  }

  /** Sends the request with the key of this moment. A write in flight isn't aborted. */
  async function attempt(
    { name: operation, method, path, body, idempotencyKey }: Operation<unknown>,
    { signal }: Call,
    deadline: number,
    retries: number,
  ) {
    const [startedAt, startedBy] = [now(), clock()];
    const observeEnd = observe(operation);
    const headers = {
      accept: 'application/json',
      authorization: `ApiKey ${apiKey()}`,
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    const request = { method, url: base + path, headers, ...(body && { body }) };
    const abortable = method === 'GET' ? signal : undefined;
    const outcome = await send(request, Math.min(timeoutMs, deadline - startedAt), abortable);
    const ended = outcome.kind === 'answered' ? `${outcome.status}` : outcome.kind;
    observeEnd(ended);
    const fields = { operation, environment, outcome: ended, ms: now() - startedAt, attempt: retries + 1 };
    logger.debug(fields, 'Asked the Notification Service');
    if (outcome.kind === 'answered') aheadMs = clockAhead(outcome.headers.get('date'), startedBy, clock()) ?? aheadMs;
    return outcome;
  }

  /** Logs a field once: a service may always respond that way. */
  function noteOddField(operation: string, field: string): void {
    const name = `${operation} ${field}`;
    if (loggedFields.has(name)) return;
    loggedFields.add(name);
    logger.warn({ environment, operation, field }, "A field isn't what the contract says, and is left out");
  }

  return { ask, clockAheadMs: () => aheadMs };
}

/** Returns whether another try may help: a read after any temporary problem; a write only after a 429, since it wasn't carried out. */
function mayRetry(problem: ServiceProblem, isWrite: boolean): boolean {
  if (problem.kind === 'rate-limited') return true;
  const isGone = problem.kind === 'timed-out' || problem.kind === 'unreachable' || problem.kind === 'service-error';
  return !isWrite && (isGone || (problem.kind === 'gateway' && problem.status >= 500));
}
