import type { Ack } from './ack.ts';

/** Slack's last repeat of a delivery comes some six minutes after the first. */
const KEPT_MS = 10 * 60_000;
const MOST_KEPT = 5_000;

/**
 * Remembers for ten minutes which deliveries came, and how each is acknowledged. The oldest are forgotten beyond 5,000.
 */
export class RecentDeliveries {
  readonly #entries = new Map<string, { readonly since: number; readonly ack: Ack }>();
  readonly #now: () => number;

  /** `now` answers milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get(key: string): Ack | undefined {
    this.#forgetOld();
    return this.#entries.get(key)?.ack;
  }

  remember(key: string, ack: Ack): void {
    this.#entries.set(key, { since: this.#now(), ack });
    this.#forgetOld();
  }

  /** Lets a delivery that could not be handled be handled when it is repeated. */
  forget(key: string): void {
    this.#entries.delete(key);
  }

  #forgetOld(): void {
    // A Map keeps the order of insertion: the first is the oldest.
    for (const [key, { since }] of this.#entries) {
      if (this.#entries.size <= MOST_KEPT && this.#now() - since < KEPT_MS) return;
      this.#entries.delete(key);
    }
  }
}
