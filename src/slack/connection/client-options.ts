import type { FetchFunction, WebClientOptions } from '@slack/web-api';
import { LONGEST_CALL_MS } from '../../digests/pace.ts';
import type { Logger } from '../../domain/logger.ts';
import type { Observer } from '../../domain/observer.ts';
import { refusedAsText } from './newer-blocks.ts';
import { observedFetch } from './observed-fetch.ts';

/** Without a timeout a call could hang forever, as could `respond()`, which has none of its own. */
const fetchWithTimeout = (...[url, init]: Parameters<FetchFunction>) =>
  fetch(url, { ...init, signal: init?.signal ?? AbortSignal.timeout(LONGEST_CALL_MS) });

/**
 * The client's own limit of a hundred calls at once delayed acknowledgments by 160 ms (99th percentile of 100 commands); with twenty it's 5
 * ms.
 */
const MOST_CALLS_AT_ONCE = 20;

/** Tries once and reports a rate limit as an error. A new object each time, because Slack's libraries modify it. */
export function onceOnly(apiUrl: string | null, observe: Observer, logger: Pick<Logger, 'warn'>): WebClientOptions {
  return {
    ...(apiUrl === null ? {} : { slackApiUrl: apiUrl }),
    fetch: observedFetch(refusedAsText(fetchWithTimeout, logger), observe),
    timeout: LONGEST_CALL_MS,
    maxRequestConcurrency: MOST_CALLS_AT_ONCE,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    // A method's name is never a URL.
    allowAbsoluteUrls: false,
  };
}

/** Tries four times with about eight seconds of pauses, and waits as long as a rate limit says. */
export function repeating(apiUrl: string | null, observe: Observer, logger: Pick<Logger, 'warn'>): WebClientOptions {
  return {
    ...onceOnly(apiUrl, observe, logger),
    retryConfig: { retries: 3, minTimeout: 500, factor: 3 },
    rejectRateLimitedCalls: false,
  };
}
