import type { FetchFunction, WebClientOptions } from '@slack/web-api';
import { LONGEST_CALL_MS } from '../../domain/alerting/pace.ts';
import type { Observer } from '../../domain/observer.ts';
import { observedFetch } from './observed-fetch.ts';

/** Without a timeout a call could hang forever, as could `respond()`, which has none of its own. */
const fetchWithTimeout: FetchFunction = (url, init) =>
  fetch(url, { ...init, signal: init?.signal ?? AbortSignal.timeout(LONGEST_CALL_MS) });

/**
 * The client's own limit of a hundred calls at once delayed acknowledgments by 160 ms (99th percentile of 100 commands); with twenty it's 5
 * ms.
 */
const MOST_CALLS_AT_ONCE = 20;

/**
 * Returns the options of a client that tries once and reports a rate limit as an error. They are a new object each time, because Slack's
 * libraries modify it.
 */
export function onceOnly(apiUrl: string | null, observe: Observer): WebClientOptions {
  return {
    ...(apiUrl === null ? {} : { slackApiUrl: apiUrl }),
    fetch: observedFetch(fetchWithTimeout, observe),
    timeout: LONGEST_CALL_MS,
    maxRequestConcurrency: MOST_CALLS_AT_ONCE,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    // A method's name is never a URL.
    allowAbsoluteUrls: false,
  };
}

/** Returns the options of a client that tries four times with about eight seconds of pauses, and waits as long as a rate limit says. */
export function repeating(apiUrl: string | null, observe: Observer): WebClientOptions {
  return {
    ...onceOnly(apiUrl, observe),
    retryConfig: { retries: 3, minTimeout: 500, factor: 3 },
    rejectRateLimitedCalls: false,
  };
}
