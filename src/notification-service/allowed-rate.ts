import { isStillKept } from '../domain/time/still-kept.ts';
import { ASSUMED_REQUESTS_A_MINUTE } from './rate-limit.ts';

/** How many requests a minute a service allows, as far as its responses say. */
export interface AllowedRate {
  /** Records what a response states (null: nothing), and whether the request was refused for its rate. */
  observe(requestsAMinute: number | null, isRefused: boolean): void;
  requestsAMinute(): number;
}

/** How long a stated limit is used. */
const RATE_KEPT_MS = 60 * 60_000;
/** How often the rate can be halved: a service that states no limit may refuse many requests at once. */
const HALVED_EVERY_MS = 60_000;
/** How long without another refusal a halving lasts: other clients of the service may have caused it. */
const HALVED_FOR_MS = 5 * 60_000;
/** Six are a 64th: as few requests as a service can allow that is of any use, and the full rate again within half an hour. */
const MOST_HALVINGS = 6;

/**
 * Creates the rate that a service allows, by a clock in milliseconds: what it stated within the last hour, otherwise 1,800. Each refusal
 * without a stated limit halves it, once a minute at most; each five minutes without one double it again.
 */
export function createAllowedRate(now: () => number): AllowedRate {
  let stated = { perMinute: ASSUMED_REQUESTS_A_MINUTE, at: Number.NEGATIVE_INFINITY };
  let halved = { times: 0, at: Number.NEGATIVE_INFINITY };

  function halvings(): number {
    const ended = Math.floor((now() - halved.at) / HALVED_FOR_MS);
    return isStillKept(halved.at, HALVED_FOR_MS * halved.times, now()) ? halved.times - ended : 0;
  }

  return {
    observe(perMinute, isRefused) {
      if (perMinute !== null) {
        stated = { perMinute, at: now() };
        halved = { ...halved, times: 0 };
      } else if (isRefused && ![stated.at, halved.at].some((at) => isStillKept(at, HALVED_EVERY_MS, now()))) {
        halved = { times: Math.min(MOST_HALVINGS, halvings() + 1), at: now() };
      }
    },
    requestsAMinute() {
      const isKept = isStillKept(stated.at, RATE_KEPT_MS, now());
      return (isKept ? stated.perMinute : ASSUMED_REQUESTS_A_MINUTE) / 2 ** halvings();
    },
  };
}
