const WINDOW_MS = 60_000;

/** Counts calls in windows of a minute, per method and, for postings, per channel. */
export class RateLimits {
  readonly #now: () => number;
  readonly #calls = new Map<string, readonly number[]>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a call under `key`; when the window is full it does not, and answers the seconds to wait. */
  retryAfter(key: string, perMinute: number): number | undefined {
    const now = this.#now();
    const recent = (this.#calls.get(key) ?? []).filter((at) => now - at < WINDOW_MS);
    const [oldest] = recent;
    if (oldest !== undefined && recent.length >= perMinute) return Math.ceil((oldest + WINDOW_MS - now) / 1000);
    this.#calls.set(key, [...recent, now]);
    return undefined;
  }
}
