import { LogLevel, type Logger as SlackLogger } from '@slack/bolt';
import { type FetchFunction, WebClient, type WebClientOptions } from '@slack/web-api';
import type { Logger, Observer } from '../../lib/logger.ts';
import { logLine } from '../../lib/text/scrub.ts';
import type { MessageBlock } from '../kit/blocks.ts';
import { markedJson } from '../kit/store-mark.ts';
import { hasNewerKinds, inOlderForm, type RefusedKinds, textBlocks } from '../kit/text-blocks.ts';
import { BLOCK_ERRORS } from '../slack-errors.ts';
import { createNewerKinds, type NewerKinds } from './newer-kinds.ts';

const LONGEST_CALL_MS = 10_000;

/** The default, 100, delays acknowledgments by 160 ms (p99), 20 by 5 ms. */
const MOST_CALLS_AT_ONCE = 20;

/** Refusals that are answers, not failed calls. */
const ANSWERS = new Set([
  'blocks.validate invalid_blocks',
  'chat.postEphemeral user_not_in_channel',
  'chat.update message_not_found',
  'conversations.info channel_not_found',
  'users.info user_not_found',
  'users.info user_not_visible',
  'views.open expired_trigger_id',
  'views.push expired_trigger_id',
  'views.update not_found',
  'views.publish not_enabled',
  'views.publish user_not_found',
]);

export type Send = (...call: Parameters<FetchFunction>) => Promise<Response>;

type CallOptions = Omit<WebClientOptions, 'fetch'> & { fetch: Send };

export interface Calls {
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

export function observedFetch(send: Send, observe: Observer): Send {
  return async (url, init) => {
    const method = methodOf(String(url));
    const observeEnd = observe(method);
    try {
      const answer = await send(url, init);
      const outcome = outcomeOf(answer.status, await answer.clone().text());
      observeEnd(ANSWERS.has(`${method} ${outcome}`) ? 'answered' : outcome);
      return answer;
    } catch (error) {
      observeEnd(error instanceof Error && error.name === 'TimeoutError' ? 'timed_out' : 'unreachable');
      throw error;
    }
  };
}

function methodOf(url: string) {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  return /^[a-z]+(\.[a-zA-Z]+)+$/.test(last) ? last : 'upload';
}

function outcomeOf(status: number, text: string) {
  if (status === 429) return 'rate_limited';
  if (status !== 200) return `http_${status}`;
  if (text.startsWith('<')) return 'not_json';
  return text.includes('"ok":false') ? (/"error":"([a-z_]{1,60})"/.exec(text)?.[1] ?? 'ok') : 'ok';
}

/** Nothing reaches Slack without the mark, whoever drew it. */
function marking(send: Send, storeCode: string): Send {
  return (url, init) => {
    if (typeof init?.body !== 'string') return send(url, init);
    const form = new URLSearchParams(init.body);
    for (const name of ['blocks', 'view']) {
      const json = form.get(name);
      if (json !== null) form.set(name, markedJson(JSON.parse(json), storeCode));
    }
    return send(url, { ...init, body: form.toString() });
  };
}

const REFUSED = new RegExp(`"error":"(?:${BLOCK_ERRORS.join('|')})"`);

/** Sends blocks without `refused` kinds; if Slack refuses them, all as text, then only the message's text. */
export function inAcceptedForm(send: Send, refused: RefusedKinds, logger: Logger): Send {
  return async (url, init) => {
    const form = new URLSearchParams(typeof init?.body === 'string' ? init.body : '');
    const blocksJson = form.get('blocks');
    if (blocksJson === null) return send(url, init);
    const parseBlocks = (): readonly MessageBlock[] => JSON.parse(blocksJson);
    const sendAs = (drawn: readonly object[]) => {
      form.set('blocks', JSON.stringify(drawn));
      return send(url, { ...init, body: form.toString() });
    };
    const text = { type: 'mrkdwn', text: form.get('text') ?? '', verbatim: true };
    const plainer = [
      { level: 'warn', draw: () => (hasNewerKinds(parseBlocks()) ? textBlocks(parseBlocks()) : null) },
      { level: 'error', draw: () => [{ type: 'section', text }] },
    ] as const;
    let answer = await (refused.size === 0 ? send(url, init) : sendAs(inOlderForm(parseBlocks(), refused)));
    for (const { level, draw } of plainer) {
      const [refusal] = REFUSED.exec(await answer.clone().text()) ?? [];
      if (refusal === undefined) return answer;
      const drawn = draw();
      if (drawn === null) continue;
      logger[level](
        { refusal, channel: form.get('channel') },
        'Slack refused the blocks of a message, sending plainer ones',
      );
      answer = await sendAs(drawn);
    }
    return answer;
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
