import { createHash } from 'node:crypto';
import { ApiError } from './errors.ts';

const KEPT_MS = 24 * 3_600_000;
const LONGEST_KEY = 255;

interface Remembered {
  bodyHash: string;
  since: number;
  /** Null while the request is still being carried out. */
  outcome: { kind: 'answer'; value: unknown } | { kind: 'refusal'; error: ApiError } | null;
}

/** What became of each request that carried an idempotency key, kept for 24 hours; the organization is the scope. */
export class Idempotency {
  readonly #seen = new Map<string, Remembered>();

  /**
   * Carries the work out once for a key: a repeat with the same body gets the first outcome, a refusal included.
   * Throws 400 for a key that is too long, 409 while the first request runs and 422 when the body is another.
   */
  async once<T>(
    key: string,
    body: string,
    now: number,
    work: () => Promise<T>,
  ): Promise<{ value: unknown; replayed: boolean }> {
    if (key.length > LONGEST_KEY)
      throw new ApiError(400, `idempotencyKey has exceeded the maximum allowed length of ${LONGEST_KEY} characters`);
    const bodyHash = createHash('sha256').update(body).digest('hex');
    const seen = this.#seen.get(key);
    if (seen && now - seen.since < KEPT_MS) return { value: replay(key, seen, bodyHash), replayed: true };
    const entry: Remembered = { bodyHash, since: now, outcome: null };
    this.#seen.set(key, entry);
    return { value: await this.#carryOut(key, entry, work), replayed: false };
  }

  async #carryOut<T>(key: string, entry: Remembered, work: () => Promise<T>): Promise<T> {
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
