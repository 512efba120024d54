import { createHmac, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { isJson, parseJson, stringIn } from './json.ts';
import type { Json } from './page-protocol.ts';

export type EnvelopeType = 'slash_commands' | 'interactive' | 'events_api';

/** Slack's word for the reason of a redelivery. Over sockets only `timeout` has been seen. */
export type RetryReason = 'timeout' | 'http_timeout' | 'http_error' | 'connection_failed';

/** The mark of a redelivered event. The first redelivery is attempt 1. */
export interface Repetition {
  readonly attempt: number;
  readonly reason: RetryReason;
}

/** The outcome of one payload: `ackMs` is the time to the acknowledgment, `response` its contents. */
export type Delivery = Acknowledged | Unacknowledged;

export interface Acknowledged {
  readonly ok: true;
  readonly ackMs: number;
  readonly response: Json;
}

export interface Unacknowledged {
  readonly ok: false;
  readonly ackMs: number;
  readonly error: 'operation_timeout' | 'dispatch_failed';
  /** The reason for a redelivery; null if the bot asked for no retries (`x-slack-no-retry: 1`). */
  readonly retry: RetryReason | null;
}

/** Returns the headers that prove to a bot that a request is from Slack: `v0=` and HMAC-SHA256 over `v0:<seconds>:<body>`. */
export function signatureHeaders(body: string, signingSecret: string, atMs: number): Readonly<Record<string, string>> {
  const seconds = String(Math.floor(atMs / 1000));
  const digest = createHmac('sha256', signingSecret).update(`v0:${seconds}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': seconds, 'x-slack-signature': `v0=${digest}` };
}

export interface RequestUrl {
  /** Such as http://127.0.0.1:3000/slack/events */
  readonly url: string;
  readonly signingSecret: string;
  readonly ackTimeoutMs: number;
  /** Returns milliseconds. The bot refuses a signature that differs from its own clock by five minutes. */
  readonly now: () => number;
}

export interface Posting {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What Slack says when a request URL that doesn't answer the challenge is saved. */
export class RequestUrlError extends Error {
  constructor(url: string, found: string, cause?: unknown) {
    super(`Your URL didn't respond with the value of the challenge parameter: ${url} ${found}`, { cause });
    this.name = 'RequestUrlError';
  }
}

const CHALLENGE_TIMEOUT_MS = 3_000;

/** Sends payloads as Slack does to an app without Socket Mode: signed, to one URL. The answer is the acknowledgment. */
export class HttpDelivery {
  readonly #to: RequestUrl;
  #last: Posting | undefined;

  constructor(to: RequestUrl) {
    this.#to = to;
  }

  get last(): Posting | undefined {
    return this.#last;
  }

  /** Any status except 2xx is `dispatch_failed`. */
  async deliver(type: EnvelopeType, payload: Json, repetition?: Repetition): Promise<Delivery> {
    const startedAt = performance.now();
    const ackMs = () => performance.now() - startedAt;
    try {
      const response = await this.#post(signed(bodyOf(type, payload), this.#to, retryHeaders(repetition)));
      const text = await response.text();
      if (response.ok) return { ok: true, ackMs: ackMs(), response: acknowledgment(text) };
      const retry = response.headers.get('x-slack-no-retry') === '1' ? null : 'http_error';
      return { ok: false, ackMs: ackMs(), error: 'dispatch_failed', retry };
    } catch (error) {
      const isTimeout = error instanceof Error && error.name === 'TimeoutError';
      if (!isTimeout)
        console.warn('the bot could not be reached by HTTP', { url: this.#to.url, reason: reasonOf(error) });
      const retry: RetryReason = isTimeout ? 'http_timeout' : 'connection_failed';
      return { ok: false, ackMs: ackMs(), error: isTimeout ? 'operation_timeout' : 'dispatch_failed', retry };
    }
  }

  /** Sends the challenge, which the bot's URL must return. Throws RequestUrlError if it doesn't. */
  async verify(): Promise<void> {
    const { url } = this.#to;
    const challenge = randomUUID();
    const body = JSON.stringify({ type: 'url_verification', token: 'sandbox', challenge });
    const posting = signed({ contentType: JSON_TYPE, body }, this.#to);
    const response = await this.send(posting, CHALLENGE_TIMEOUT_MS).catch((error: unknown) => {
      throw new RequestUrlError(url, `can't be reached: ${reasonOf(error)}`, error);
    });
    const text = await response.text();
    const isAnswered = response.ok && [text, stringIn(parseJson(text), 'challenge')].includes(challenge);
    if (!isAnswered) throw new RequestUrlError(url, `answered ${response.status}`);
  }

  /** Sends a request unchanged, whatever its signature, and returns the bot's answer. */
  send({ body, headers }: Posting, timeoutMs: number = this.#to.ackTimeoutMs): Promise<Response> {
    const signal = AbortSignal.timeout(timeoutMs);
    return fetch(this.#to.url, { method: 'POST', headers, body, signal });
  }

  #post(posting: Posting): Promise<Response> {
    this.#last = posting;
    return this.send(posting);
  }
}

const JSON_TYPE = 'application/json';

interface Content {
  readonly contentType: string;
  readonly body: string;
}

function signed({ contentType, body }: Content, to: RequestUrl, marks: Posting['headers'] = {}): Posting {
  const signature = signatureHeaders(body, to.signingSecret, to.now());
  return { body, headers: { 'content-type': contentType, ...signature, ...marks } };
}

/** Encodes a payload: events as JSON, a command as a form of its fields, an interaction as a form with one field. */
function bodyOf(type: EnvelopeType, payload: Json): Content {
  if (type === 'events_api') return { contentType: JSON_TYPE, body: JSON.stringify(payload) };
  const fields = type === 'slash_commands' ? payload : { payload: JSON.stringify(payload) };
  const form = Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]);
  return { contentType: 'application/x-www-form-urlencoded', body: new URLSearchParams(form).toString() };
}

function retryHeaders(repetition: Repetition | undefined): Posting['headers'] {
  if (repetition === undefined) return {};
  return { 'x-slack-retry-num': String(repetition.attempt), 'x-slack-retry-reason': repetition.reason };
}

/** Returns the cause's message, because fetch's own only says that it failed. */
function reasonOf(error: unknown): string {
  return String(error instanceof Error ? (error.cause ?? error) : error);
}

function acknowledgment(text: string): Json {
  const parsed = parseJson(text);
  if (isJson(parsed)) return parsed;
  return text === '' ? {} : { text };
}
