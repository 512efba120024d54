import { createHash } from 'node:crypto';
import type { OperationName } from './faults.ts';
import { ApiError } from './http.ts';
import type { Query } from './validation.ts';

export interface RecordedRequest {
  operation: OperationName;
  /** Milliseconds. */
  at: number;
  path: string;
  query: Query;
  body?: unknown;
  key?: string;
}

/** Older entries are dropped, so that a sandbox that runs for a week doesn't grow. */
const MOST_KEPT = 10_000;

/** The requests that arrived with a valid key, oldest first, whatever their outcome. */
export class RequestLog extends Array<RecordedRequest> {
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

const KEPT_MS = 24 * 3_600_000;
const LONGEST_KEY = 255;

interface Remembered {
  bodyHash: string;
  since: number;
  /** Null while the request is still running. */
  outcome: { kind: 'answer'; value: unknown } | { kind: 'refusal'; error: ApiError } | null;
}

/** The outcome of each request with an idempotency key, kept for 24 hours; the organization is the scope. */
export class Idempotency {
  readonly #seen = new Map<string, Remembered>();

  isRepeat(key: string, body: unknown, now: number): boolean {
    const seen = this.#stillKnown(key, now);
    return seen?.outcome != null && seen.bodyHash === hashOf(body);
  }

  /**
   * Runs the work once per key. A repeat with the same body gets the first outcome, including a refusal. Throws 400 if the key is too long,
   * 409 while the first request is running and 422 if the body differs.
   */
  async once(key: string, body: unknown, now: number, work: () => Promise<unknown>): Promise<unknown> {
    if (key.length > LONGEST_KEY)
      throw new ApiError(400, `idempotencyKey has exceeded the maximum allowed length of ${LONGEST_KEY} characters`);
    const bodyHash = hashOf(body);
    const seen = this.#stillKnown(key, now);
    if (seen) return replay(key, seen, bodyHash);
    const entry: Remembered = { bodyHash, since: now, outcome: null };
    this.#seen.set(key, entry);
    return await this.#carryOut(key, entry, work);
  }

  #stillKnown(key: string, now: number): Remembered | undefined {
    const seen = this.#seen.get(key);
    return seen && now - seen.since < KEPT_MS ? seen : undefined;
  }

  async #carryOut(key: string, entry: Remembered, work: () => Promise<unknown>): Promise<unknown> {
    try {
      const value = await work();
      entry.outcome = { kind: 'answer', value };
      return value;
    } catch (error) {
      if (error instanceof ApiError) entry.outcome = { kind: 'refusal', error };
      else this.#seen.delete(key);
      throw error;
    }
  }
}

function replay(key: string, seen: Remembered, bodyHash: string): unknown {
  if (seen.outcome === null) {
    throw new ApiError(
      409,
      `Request with key "${key}" is currently being processed. Please retry after 1 second`,
      {},
      { 'Retry-After': '1' },
    );
  }
  if (seen.bodyHash !== bodyHash)
    throw new ApiError(422, `Request with key "${key}" is being reused for a different body`);
  if (seen.outcome.kind === 'refusal') throw seen.outcome.error;
  return seen.outcome.value;
}

function hashOf(body: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(body ?? null))
    .digest('hex');
}

const WINDOW_SECONDS = 5;

/** The tokens that the smallest plan allows per second: the defaults of the public implementation. */
const perSecond = { global: 30, configuration: 15, trigger: 60 } as const;

export interface Cost {
  budget: 'global' | 'configuration' | 'trigger';
  kind: 'single' | 'bulk';
}

const tokensOf = { single: 1, bulk: 100 } as const;

export class RateLimits {
  readonly #buckets = new Map<Cost['budget'], { window: number; left: number }>();

  /** Takes tokens and returns the headers that say what is left. Throws the service's 429 if there aren't enough. */
  take(cost: Cost, now: number): Record<string, string> {
    const window = Math.floor(now / 1000 / WINDOW_SECONDS);
    const bucket = this.#buckets.get(cost.budget);
    const left = bucket?.window === window ? bucket.left : perSecond[cost.budget] * WINDOW_SECONDS;
    const rest = left - tokensOf[cost.kind];
    const secondsToReset = String(Math.ceil((window + 1) * WINDOW_SECONDS - now / 1000));
    const headers = headersOf(cost, Math.max(0, rest), secondsToReset);
    if (rest < 0) throw new ApiError(429, 'API rate limit exceeded', {}, { ...headers, 'Retry-After': secondsToReset });
    this.#buckets.set(cost.budget, { window, left: rest });
    return headers;
  }
}

function headersOf({ budget, kind }: Cost, remaining: number, secondsToReset: string): Record<string, string> {
  const limit = perSecond[budget] * WINDOW_SECONDS;
  const burst = Math.floor(limit * 1.1);
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': secondsToReset,
    'RateLimit-Policy': `${limit};w=${WINDOW_SECONDS};burst=${burst};comment="token bucket";category="${budget}";cost="${kind}";serviceLevel="free"`,
  };
}
