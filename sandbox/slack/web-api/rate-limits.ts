/** Slack's tiers in calls per minute; `special` is for "hundreds of requests per minute". */
export const PER_MINUTE = { 1: 1, 2: 20, 3: 50, 4: 100, special: 600 } as const;
export type Tier = keyof typeof PER_MINUTE;

const WINDOW_MS = 60_000;
/** Slack allows "several hundred" messages per minute in a workspace and doesn't say how many. */
const POSTS_PER_MINUTE = 300;
/** One message per second in a channel. */
const POST_EVERY_MS = 1_000;
/** Slack allows bursts of messages in a channel and doesn't say of how many. */
const POST_BURST = 10;

/**
 * Slack's limits for one app in one workspace: calls of a method per minute by its tier, and messages by channel and workspace. A refused
 * call doesn't count.
 */
export class RateLimits {
  readonly #now: () => number;
  readonly #calls = new Map<string, readonly number[]>();
  /** When each channel's burst expires: a second later for each message. */
  readonly #quietAt = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a call of the method. If its minute is full, doesn't count it and returns the seconds to wait. */
  takeCall(method: string, tier: Tier): number | undefined {
    return this.#waitForMinute(method, PER_MINUTE[tier]) ?? this.#count(method);
  }

  /** Does the same for a message in a channel. */
  takePost(channel: string): number | undefined {
    const wait = this.#waitForChannel(channel) ?? this.#waitForMinute(MESSAGES, POSTS_PER_MINUTE);
    if (wait !== undefined) return wait;
    this.#quietAt.set(channel, Math.max(this.#now(), this.#quietAt.get(channel) ?? 0) + POST_EVERY_MS);
    return this.#count(MESSAGES);
  }

  #waitForMinute(key: string, perMinute: number): number | undefined {
    const recent = this.#recent(key);
    const [oldest] = recent;
    return oldest === undefined || recent.length < perMinute ? undefined : this.#secondsUntil(oldest + WINDOW_MS);
  }

  #waitForChannel(channel: string): number | undefined {
    const freeAt = (this.#quietAt.get(channel) ?? 0) - (POST_BURST - 1) * POST_EVERY_MS;
    return freeAt > this.#now() ? this.#secondsUntil(freeAt) : undefined;
  }

  #count(key: string): undefined {
    this.#calls.set(key, [...this.#recent(key), this.#now()]);
  }

  #recent(key: string): readonly number[] {
    const now = this.#now();
    return (this.#calls.get(key) ?? []).filter((at) => now - at < WINDOW_MS);
  }

  #secondsUntil(at: number): number {
    return Math.ceil((at - this.#now()) / 1_000);
  }
}

const MESSAGES = 'chat.postMessage';
