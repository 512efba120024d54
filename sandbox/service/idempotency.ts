import { ApiError } from './faults.ts';

const KEPT_MS = 24 * 3_600_000;

interface Kept {
  body: string;
  since: number;
  outcome: Promise<unknown>;
  isRunning: boolean;
}

export class Idempotency {
  readonly #kept = new Map<string, Kept>();

  /** Returns the first outcome, also a refusal, for a repeat. Throws 400, 409 or 422 for a key that can't be used. */
  find(key: string, body: unknown, now: number): Promise<unknown> | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined || now - kept.since >= KEPT_MS) return undefined;
    if (kept.isRunning) {
      const words = `Request with key "${key}" is currently being processed. Please retry after 1 second`;
      throw new ApiError(409, words, {}, { 'Retry-After': '1' });
    }
    if (kept.body !== JSON.stringify(body))
      throw new ApiError(422, `Request with key "${key}" is being reused for a different body`);
    return kept.outcome;
  }

  async keep(key: string, body: unknown, since: number, work: () => Promise<unknown>): Promise<unknown> {
    const outcome = work();
    const kept = { body: JSON.stringify(body), since, outcome, isRunning: true };
    this.#kept.set(key, kept);
    try {
      return await outcome;
    } catch (error) {
      if (!(error instanceof ApiError)) this.#kept.delete(key);
      throw error;
    } finally {
      kept.isRunning = false;
    }
  }
}
