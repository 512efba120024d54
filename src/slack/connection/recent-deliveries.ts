import type { Ack } from './ack.ts';

/** Slack's last repeat comes some six minutes after the first delivery. */
const KEPT_MS = 10 * 60_000;
const MOST_KEPT = 5_000;

export class RecentDeliveries {
  readonly #entries = new Map<string, { readonly since: number; readonly ack: Ack }>();
  readonly #now: () => number;

  /** `now` returns milliseconds. */
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

  /** So that its repeat is handled. */
  forget(key: string): void {
    this.#entries.delete(key);
  }

  #forgetOld(): void {
    // A Map keeps insertion order: the first entry is the oldest.
    for (const [key, { since }] of this.#entries) {
      if (this.#entries.size <= MOST_KEPT && this.#now() - since < KEPT_MS) return;
      this.#entries.delete(key);
    }
  }
}
