const MINUTE_MS = 60_000;
const MINUTES = 60;
/** The maximum deliveries in an hour, to one app from one workspace. */
const PER_HOUR = 30_000;
/** With fewer deliveries in an hour, Slack doesn't judge the success rate. */
const TELLING = 1_000;
/** The minimum success rate. */
const LEAST_TAKEN = 0.05;

interface Minute {
  readonly delivered: number;
  readonly failed: number;
}

/** What happens to an event: it is delivered or dropped. `tell-of-limit` is the first one dropped in a minute. */
export type Passage = 'deliver' | 'drop' | 'tell-of-limit';

/**
 * Slack's limits for an hour of deliveries: at most 30,000, of which 5% must succeed. Beyond the first limit it drops events and reports
 * that once a minute. Below the second, from 1,000 deliveries, it ends the subscription. An hour is sixty whole minutes of the clock.
 */
export class EventQuota {
  readonly #now: () => number;
  readonly #byMinute = new Map<number, Minute>();
  #toldOf: number | undefined;
  #isEnded = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether the subscription has ended because too few deliveries succeeded. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Counts a delivery if it is allowed. */
  take(): Passage {
    if (this.#isEnded) return 'drop';
    if (this.#lately().delivered < PER_HOUR) {
      this.#add({ delivered: 1, failed: 0 });
      return 'deliver';
    }
    const isToldOf = this.#toldOf === this.minute;
    this.#toldOf = this.minute;
    return isToldOf ? 'drop' : 'tell-of-limit';
  }

  /** Counts a failed delivery. */
  fail(): void {
    this.#add({ delivered: 0, failed: 1 });
    const { delivered, failed } = this.#lately();
    this.#isEnded ||= delivered >= TELLING && (delivered - failed) / delivered < LEAST_TAKEN;
  }

  /** The minute of the clock, in minutes since the epoch. */
  get minute(): number {
    return Math.floor(this.#now() / MINUTE_MS);
  }

  #add({ delivered, failed }: Minute): void {
    const before = this.#byMinute.get(this.minute) ?? { delivered: 0, failed: 0 };
    this.#byMinute.set(this.minute, { delivered: before.delivered + delivered, failed: before.failed + failed });
  }

  #lately(): Minute {
    for (const minute of this.#byMinute.keys()) if (minute <= this.minute - MINUTES) this.#byMinute.delete(minute);
    const sum = (of: keyof Minute) => [...this.#byMinute.values()].reduce((total, minute) => total + minute[of], 0);
    return { delivered: sum('delivered'), failed: sum('failed') };
  }
}
