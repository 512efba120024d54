import type { z } from 'zod';
import type { Environment } from '../lib/environment.ts';
import { ServiceError, type ServiceProblem } from '../lib/errors.ts';
import { type Logger, type Observer, unobserved } from '../lib/logger.ts';
import { clockAhead } from '../lib/time/service-clock.ts';
import { sleep as sleepFor } from '../lib/time/waiting.ts';
import { classify, isOutcomeUnknown } from './answer.ts';
import { exchange, type HttpRequest } from './exchange.ts';
import { type Limiter, parseAllowance, retryAfterMs } from './limits.ts';
import type { Call, Page } from './query.ts';

export interface Operation<Result> extends Pick<HttpRequest, 'method' | 'body'> {
  readonly name: string;
  readonly path: string;
  readonly idempotencyKey?: string;
  readonly read: z.ZodType<Result>;
}

export interface AskOptions {
  readonly environment: Environment;
  readonly url: string;
  /** Asked for each try: the key can be replaced. */
  readonly apiKey: () => string;
  readonly logger: Logger;
  readonly limiter: Limiter;
  readonly observe?: Observer;
  readonly timeoutMs?: number;
  readonly exchange?: typeof exchange;
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly now?: () => number;
}

/** The time for all tries together. */
const TOTAL_MS = { person: 25_000, poller: 60_000 };
const SHORTEST_TRY_MS = 1_000;
const LONGEST_QUEUED_MS = { person: 8_000, poller: 60_000 };
const MAX_RETRIES = 2;
/** Of a longer one that the service asks for, people are told instead. */
const LONGEST_WAIT_MS = 10_000;
const FIRST_BACKOFF_MS = 250;

export function createAsk(options: AskOptions) {
  const { apiKey, limiter, logger, observe = unobserved, timeoutMs = 10_000 } = options;
  const { exchange: send = exchange, sleep = sleepFor, now = Date.now } = options;
  const environment = options.environment.name;
  const base = options.url.replace(/\/+$/, '');
  let aheadMs: number | null = null;
  const noted = new Set<string>();

  async function ask<Result>(operation: Operation<Result>, call: Call): Promise<Result | null> {
    const { name, method, read } = operation;
    const isWrite = method !== 'GET';
    const startedAt = now();
    const deadline = startedAt + TOTAL_MS[call.who];
    for (let retries = 0; ; retries++) {
      const queuedMs = Math.min(LONGEST_QUEUED_MS[call.who], deadline - now());
      const busy = new ServiceError(environment, name, { kind: 'busy', waitedMs: queuedMs });
      const outcome = await limiter.run(call, queuedMs, busy, () => attempt(operation, call, deadline, retries));
      const headers = outcome.kind === 'answered' ? outcome.headers : new Headers();
      // Writes have rate limit windows of their own.
      if (outcome.kind === 'answered' && !isWrite) limiter.observe(parseAllowance(outcome.status, headers, now()));
      const problem = classify(outcome, read, { startedAt, now: now() });
      if (problem.kind === 'not-found') return null;
      if (problem.kind === 'read') return problem.result;
      if (problem.kind === 'unreadable' && problem.wrong !== null) noteWrong(name, problem.wrong);
      const askedMs = problem.kind === 'rate-limited' ? problem.retryAfterMs : (retryAfterMs(headers, now()) ?? 0);
      const waitMs = Math.max(askedMs, FIRST_BACKOFF_MS * 2 ** retries);
      const hasTime = waitMs <= LONGEST_WAIT_MS && now() + waitMs + SHORTEST_TRY_MS <= deadline;
      if (retries >= MAX_RETRIES || !mayRetry(problem, isWrite) || !hasTime) {
        const outcomeUnknown = isWrite && isOutcomeUnknown(outcome);
        // Only the system's code: fetch's own error holds the address.
        const cause = outcome.kind === 'disconnected' ? new Error(outcome.code ?? 'closed') : undefined;
        throw new ServiceError(environment, name, problem, { outcomeUnknown, cause });
      }
      await sleep(waitMs, call.signal);
      call.signal?.throwIfAborted();
    }
  }

  /** A write in flight isn't aborted: its answer shows its outcome. */
  async function attempt(
    { name: operation, method, path, body, idempotencyKey }: Operation<unknown>,
    { signal }: Call,
    deadline: number,
    retries: number,
  ) {
    const startedAt = now();
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
    if (outcome.kind === 'answered') aheadMs = clockAhead(outcome.headers.get('date'), startedAt, now()) ?? aheadMs;
    return outcome;
  }

  /** Once: a service may always respond that way. */
  function noteWrong(operation: string, field: string): void {
    const name = `${operation} ${field}`;
    if (!noted.has(name))
      logger.warn({ environment, operation, field }, "An item or answer isn't what the contract says");
    noted.add(name);
  }

  async function askPage<Shown extends Page<unknown>>(operation: Operation<Shown>, call: Call): Promise<Shown | null> {
    const page = await ask(operation, call);
    for (const { wrong = '' } of page?.unreadable ?? []) noteWrong(operation.name, wrong);
    return page;
  }

  return { ask, askPage, clockAheadMs: () => aheadMs };
}

/** A write only after a 429, since it wasn't carried out. */
function mayRetry(problem: ServiceProblem, isWrite: boolean): boolean {
  if (problem.kind === 'rate-limited') return true;
  const isGone = problem.kind === 'timed-out' || problem.kind === 'unreachable' || problem.kind === 'service-error';
  return !isWrite && (isGone || (problem.kind === 'gateway' && problem.status >= 500));
}
