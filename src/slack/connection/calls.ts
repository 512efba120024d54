import { LogLevel, type Logger as SlackLogger } from '@slack/bolt';
import { WebClient, type WebClientOptions } from '@slack/web-api';
import type { Logger, Observer } from '../../lib/logger.ts';
import { logLine } from '../../lib/text/scrub.ts';
import { createNewerKinds, type NewerKinds } from './newer-kinds.ts';
import { inAcceptedForm, marking, observedFetch, type Send } from './wrapped-fetch.ts';

const LONGEST_CALL_MS = 10_000;

/** Slack's default, 100, delays acknowledgments by 160 ms (p99), 20 by 5 ms. */
const MOST_CALLS_AT_ONCE = 20;

type CallOptions = Omit<WebClientOptions, 'fetch'> & { fetch: Send };

export interface Calls {
  /** For calls that mustn't be repeated, such as posts. */
  once: () => CallOptions;
  /** Tries four times in about eight seconds; waits for rate limits. */
  repeating: () => CallOptions;
  newerKinds: NewerKinds;
}

/** Clients' options are functions, since Slack's libraries modify them. */
export function createCalls(apiUrl: string | null, storeCode: string, observe: Observer, logger: Logger): Calls {
  const send: Send = (url, init) =>
    fetch(url, { ...init, signal: init?.signal ?? AbortSignal.timeout(LONGEST_CALL_MS) });
  const baseOptions = () => ({
    ...(apiUrl === null ? {} : { slackApiUrl: apiUrl }),
    logger: boltLogger(logger),
    fetch: observedFetch(send, observe),
    timeout: LONGEST_CALL_MS,
    maxRequestConcurrency: MOST_CALLS_AT_ONCE,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
  });
  const newerKinds = createNewerKinds(new WebClient(undefined, baseOptions()), logger);
  const acceptedFetch = observedFetch(inAcceptedForm(marking(send, storeCode), newerKinds.refused, logger), observe);
  const once = () => ({ ...baseOptions(), fetch: acceptedFetch });

  return {
    once,
    newerKinds,
    repeating: () => ({
      ...once(),
      retryConfig: { retries: 3, minTimeout: 500, factor: 3 },
      rejectRateLimitedCalls: false,
    }),
  };
}

/** Slack's libraries write whole payloads at debug level. */
export function boltLogger(logger: Logger): SlackLogger {
  const fieldsOf = (args: readonly unknown[]) => ({
    words: logLine(args.filter((part) => typeof part === 'string').join(' ')),
    err: args.find((part) => part instanceof Error),
  });
  return {
    debug: () => {},
    info: (...args) => logger.info(fieldsOf(args), 'The Slack library says'),
    warn: (...args) => logger.warn(fieldsOf(args), 'The Slack library warns'),
    error: (...args) => logger.warn(fieldsOf(args), 'The Slack library reports an error'),
    setLevel: () => {},
    setName: () => {},
    getLevel: () => LogLevel.INFO,
  };
}
