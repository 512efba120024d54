import type { FetchFunction, WebClientOptions } from '@slack/web-api';
import type { Observer } from '../../domain/observer.ts';
import { observedFetch } from './observed-fetch.ts';

/**
 * A call that takes longer has failed. Without it, a call may hang for ever; so may `respond()`, which has no timeout
 * of its own.
 */
const CALL_TIMEOUT_MS = 10_000;

const fetchWithTimeout: FetchFunction = (url, init) =>
  fetch(url, { ...init, signal: init?.signal ?? AbortSignal.timeout(CALL_TIMEOUT_MS) });

/**
 * A hundred calls opened at once, the client's own limit, held up acknowledgments for 160 ms (99th percentile of 100
 * commands); twenty, for 5 ms.
 */
const MOST_CALLS_AT_ONCE = 20;

/**
 * Options of a client that tries once, and for which a rate limit is an error. A new object each time: Slack's
 * libraries change what they are given.
 */
export function onceOnly(apiUrl: string | null, observe: Observer): WebClientOptions {
  return {
    ...(apiUrl === null ? {} : { slackApiUrl: apiUrl }),
    fetch: observedFetch(fetchWithTimeout, observe),
    timeout: CALL_TIMEOUT_MS,
    maxRequestConcurrency: MOST_CALLS_AT_ONCE,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    // A method's name is never an address.
    allowAbsoluteUrls: false,
  };
}

/**
 * Options of a client that tries four times within about eight seconds of waiting, and waits as long as a rate limit
 * says.
 */
export function repeating(apiUrl: string | null, observe: Observer): WebClientOptions {
  return {
    ...onceOnly(apiUrl, observe),
    retryConfig: { retries: 3, minTimeout: 500, factor: 3 },
    rejectRateLimitedCalls: false,
  };
}
