import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError, type ServiceProblem } from '../domain/errors.ts';
import type { Logger } from '../domain/logger.ts';
import { type Observer, unobserved } from '../domain/observer.ts';
import type { Call } from '../domain/service/query.ts';
import { parseAllowance } from './allowance.ts';
import { type Answer, classify, isOutcomeUnknown } from './answer.ts';
import type { ServiceClock } from './clock.ts';
import { type ExchangeOutcome, exchange, type HttpRequest } from './exchange.ts';
import { type Caller, type Limiter, LimiterBusyError } from './limiter.ts';
import { parseRateLimit } from './rate-limit.ts';
import { retryDelayMs } from './retry.ts';
import type { BodyReader } from './schema/reader.ts';

/** One of the contract's operations: its parameters and the reader of its response. */
export interface Operation<Result> {
  readonly name: string;
  readonly method: HttpRequest['method'];
  /** Includes the query. */
  readonly path: string;
  readonly body?: object;
  readonly idempotencyKey?: string;
  readonly read: BodyReader<Result>;
}

/** Calls the service and retries as needed and allowed. Returns null for a 404. Rejects with `ServiceError` or the signal's reason. */
export type Ask = <Result>(operation: Operation<Result>, call: Call) => Promise<Result | null>;

export interface AskOptions {
  readonly environment: string;
  /** The API's base address. */
  readonly url: string;
  /** A function is called for each request, since the key can be replaced while Notif runs. */
  readonly apiKey: string | (() => string);
  readonly logger: Logger;
  readonly limiter: Limiter;
  readonly clock: ServiceClock;
  /** Observes each request by its operation. It ends with an HTTP status, `timed-out` or `disconnected`. */
  readonly observe?: Observer;
  /** Called with the fields of an operation's response that differ from the contract and are treated as absent, each once per item. */
  readonly noteOddFields?: (operation: string, fields: readonly string[]) => void;
  /** The timeout of one request including its whole response. Default 10,000. */
  readonly timeoutMs?: number;
  /** Returns a number from 0 to 1 for the jitter of retries. */
  readonly random?: () => number;
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly now?: () => number;
}

/** The time for all tries together. A person gets a reply, even if it's an error; the poller will try again anyway. */
const TOTAL_MS = { person: 25_000, poller: 60_000 };
/** With less time left, another try would only time out. */
const SHORTEST_TRY_MS = 1_000;

export function createAsk(options: AskOptions): Ask {
  const { environment, limiter, clock, logger, observe = unobserved, timeoutMs = 10_000 } = options;
  const { random = Math.random, sleep = sleepFor, now = Date.now, noteOddFields = () => {} } = options;

  return async function ask(operation, call) {
    const isWrite = operation.method !== 'GET';
    const startedAt = now();
    const deadline = startedAt + TOTAL_MS[call.who];
    // If one try may have gone through, no later response can change that.
    let mayBeDone = false;
    const retries = { limited: 0, others: 0 };
    for (let number = 1; ; number++) {
      const outcome = await attempt(operation, call, { deadline, number, mayBeDone });
      const answer = readAnswer(operation, classify(outcome, now()));
      if (answer.kind === 'not-found') {
        if (!mayBeDone) return null;
        throw new ServiceError(environment, operation.name, { kind: 'gateway', status: 404 }, { outcomeUnknown: true });
      }
      if (answer.kind === 'read') return answer.result;
      mayBeDone ||= isWrite && isOutcomeUnknown(answer.problem, outcome);
      const kind = answer.problem.kind === 'rate-limited' ? 'limited' : 'others';
      const waitMs = retryDelayMs({ ...answer, isWrite, retries: retries[kind]++ }, random);
      if (waitMs === null || now() + waitMs + SHORTEST_TRY_MS > deadline) {
        throw new ServiceError(environment, operation.name, sinceStart(answer.problem, now() - startedAt), {
          outcomeUnknown: mayBeDone,
          cause: causeOf(outcome),
        });
      }
      await sleep(waitMs, call.signal);
    }
  };

  /** Sends the request once the limiter admits it, with the key of that moment. A write in flight isn't aborted. */
  async function attempt(asked: Operation<unknown>, call: Call, turn: Turn): Promise<ExchangeOutcome> {
    const { name: operation, method } = asked;
    const isWrite = method !== 'GET';
    const outcome = await admitted(operation, { ...call, maxWaitMs: turn.deadline - now() }, turn, async () => {
      const startedAt = now();
      const observeEnd = observe(operation);
      const sent = await exchange(requestOf(asked, options), {
        timeoutMs: Math.min(timeoutMs, turn.deadline - startedAt),
        signal: isWrite ? undefined : call.signal,
      });
      observeEnd(sent.kind === 'answered' ? `${sent.status}` : sent.kind);
      const fields = { operation, environment, ...outcomeFields(sent), ms: now() - startedAt, attempt: turn.number };
      logger.debug(fields, 'Asked the Notification Service');
      if (sent.kind === 'answered') clock.observe(sent.headers, startedAt, now());
      return sent;
    });
    // Writes have their own rate limit windows, which don't show how much the poller can read.
    if (outcome.kind === 'answered' && !isWrite) {
      limiter.observe(parseAllowance(outcome.status, outcome.headers, now()));
      limiter.observeRate(parseRateLimit(outcome.headers), outcome.status === 429);
    }
    return outcome;
  }

  async function admitted<T>(operation: string, caller: Caller, turn: Turn, task: () => Promise<T>): Promise<T> {
    try {
      return await limiter.run(caller, task);
    } catch (error) {
      if (!(error instanceof LimiterBusyError)) throw error;
      const problem = { kind: 'busy', waitedMs: error.waitedMs } as const;
      throw new ServiceError(environment, operation, problem, { cause: error, outcomeUnknown: turn.mayBeDone });
    }
  }

  /** Every response is parsed by its operation, so no unparsed one leaves this function. */
  function readAnswer<Result>(operation: Operation<Result>, answer: Answer): Reading<Result> {
    if (answer.kind !== 'ok') return answer;
    const read = operation.read(answer.body);
    if (read.ok) {
      if (read.odd.length > 0) noteOddFields(operation.name, read.odd);
      return { kind: 'read', result: read.value };
    }
    const fields = { operation: operation.name, environment, reason: read.reason };
    logger.warn(fields, "An answer of the Notification Service couldn't be read");
    return {
      kind: 'problem',
      problem: { kind: 'unreadable', status: answer.status, wrong: read.reason },
      retryAfterMs: null,
    };
  }
}

/** Replaces the time of the last timeout by that of all tries: the caller waited for all of them. */
function sinceStart(problem: ServiceProblem, elapsedMs: number): ServiceProblem {
  return problem.kind === 'timed-out' ? { ...problem, afterMs: elapsedMs } : problem;
}

/** The number of the try, from 1; the deadline for all tries; and whether an earlier try may have gone through. */
interface Turn {
  readonly number: number;
  readonly deadline: number;
  readonly mayBeDone: boolean;
}

type Reading<Result> = { readonly kind: 'read'; readonly result: Result } | Exclude<Answer, { kind: 'ok' }>;

function requestOf(operation: Operation<unknown>, { url, apiKey }: AskOptions): HttpRequest {
  const { method, path, body, idempotencyKey } = operation;
  const headers = new Headers({
    accept: 'application/json',
    'accept-encoding': 'gzip, deflate',
    authorization: `ApiKey ${keyOf(apiKey)}`,
  });
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
  if (body === undefined) return { method, url: url + path, headers };
  headers.set('content-type', 'application/json');
  return { method, url: url + path, headers, body: JSON.stringify(body) };
}

/** Returns the key for the next request. */
export function keyOf(apiKey: AskOptions['apiKey']): string {
  return typeof apiKey === 'string' ? apiKey : apiKey();
}

/** The connection couldn't be made or broke. `code` is the system's. */
class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code: string | null;

  constructor(code: string | null) {
    super('no connection to the Notification Service');
    this.code = code;
  }
}

function causeOf(outcome: ExchangeOutcome): ConnectionError | undefined {
  return outcome.kind === 'disconnected' ? new ConnectionError(outcome.code) : undefined;
}

/** Returns the part of an outcome that is logged. */
function outcomeFields(outcome: ExchangeOutcome): object {
  switch (outcome.kind) {
    case 'answered':
      return { status: outcome.status };
    case 'timed-out':
      return { outcome: outcome.kind };
    case 'disconnected':
      return { outcome: outcome.kind, code: outcome.code };
  }
}

async function sleepFor(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
}
