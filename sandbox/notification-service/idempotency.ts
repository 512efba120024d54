import { createHash } from 'node:crypto';
import { ApiError } from './errors.ts';

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

  /** Returns whether a request with this key and body gets the outcome of an earlier one. */
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

/** Hashes the body's content, whatever its formatting. */
function hashOf(body: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(body ?? null))
    .digest('hex');
}
