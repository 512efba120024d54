import { createHmac, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { isJson, parseJson, stringIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import type { SocketMode } from './socket-mode.ts';

export type EnvelopeType = 'slash_commands' | 'interactive' | 'events_api';

export type Delivery =
  | { ok: true; ackMs: number; response: Json }
  | { ok: false; ackMs: number; error: 'operation_timeout' | 'dispatch_failed' };

export interface RequestUrl {
  url: string;
  signingSecret: string;
  ackTimeoutMs: number;
  /** Returns milliseconds. The bot refuses a signature that differs from its own clock by five minutes. */
  now: () => number;
}

interface Posting {
  body: string;
  headers: Readonly<Record<string, string>>;
}

const JSON_TYPE = 'application/json';
/** Slack's limit for each answer to a request. */
const CHALLENGE_TIMEOUT_MS = 3_000;

/** Delivers payloads to the bot: over its sockets, or, once it has a URL, by signed posts, whose answers are the acknowledgments. */
export class WayToBot {
  readonly #sockets: SocketMode;
  #requestUrl: RequestUrl | undefined;
  #last: { type: EnvelopeType; payload: Json; attempt: number; posting?: Posting } | undefined;

  constructor(sockets: SocketMode) {
    this.#sockets = sockets;
  }

  get isOpen(): boolean {
    return this.#requestUrl !== undefined || this.#sockets.connections > 0;
  }

  /** Sets the URL for signed requests. Rejects, and changes nothing, if the bot doesn't answer the challenge. */
  async postTo(to: RequestUrl): Promise<void> {
    const challenge = randomUUID();
    const body = JSON.stringify({ type: 'url_verification', token: 'sandbox', challenge });
    const posting = signed({ type: JSON_TYPE, body }, to);
    const response = await send(posting, to.url, CHALLENGE_TIMEOUT_MS);
    const text = await response.text();
    const isAnswered = response.ok && [text, stringIn(parseJson(text), 'challenge')].includes(challenge);
    if (!isAnswered)
      throw new Error(`Your URL didn't respond with the value of the challenge: ${to.url} answered ${response.status}`);
    this.#requestUrl = to;
  }

  async deliver(type: EnvelopeType, payload: Json, attempt = 0): Promise<Delivery> {
    this.#last = { type, payload, attempt };
    if (this.#requestUrl === undefined) return this.#sockets.deliver(type, payload, attempt);
    const posting = signed(contentOf(type, payload), this.#requestUrl, retryHeaders(attempt));
    this.#last.posting = posting;
    return this.#post(posting, this.#requestUrl);
  }

  /** Sends the last payload again, as Slack does when it takes the acknowledgment for lost. */
  async redeliver(): Promise<void> {
    if (this.#last !== undefined) await this.deliver(this.#last.type, this.#last.payload, this.#last.attempt + 1);
  }

  /** Rejects if the bot can't be reached, or is too slow: only tests have one by HTTP. */
  async #post(posting: Posting, { url, ackTimeoutMs }: RequestUrl): Promise<Delivery> {
    const startedAt = performance.now();
    const response = await send(posting, url, ackTimeoutMs);
    const text = await response.text();
    const ackMs = performance.now() - startedAt;
    if (response.ok) return { ok: true, ackMs, response: acknowledgment(text) };
    return { ok: false, ackMs, error: 'dispatch_failed' };
  }

  /** Sends a forged request, made of the last one, and returns the status of the bot's answer. */
  async forge(flaw: 'wrong signature' | 'old timestamp' | 'altered body' | 'replay'): Promise<number> {
    if (this.#last?.posting === undefined || this.#requestUrl === undefined)
      throw new Error('nothing was posted yet: call postTo first');
    const { body, headers } = this.#last.posting;
    const { url, signingSecret, ackTimeoutMs, now } = this.#requestUrl;
    const forgedHeaders = {
      'wrong signature': signatureHeaders(body, 'guessed', now()),
      'old timestamp': signatureHeaders(body, signingSecret, now() - 6 * 60_000),
      'altered body': {},
      replay: {},
    }[flaw];
    const forgedBody = flaw === 'altered body' ? body.replace(/\w/, 'x') : body;
    const forgery = { body: forgedBody, headers: { ...headers, ...forgedHeaders } };
    return (await send(forgery, url, ackTimeoutMs)).status;
  }
}

function send({ body, headers }: Posting, url: string, timeoutMs: number): Promise<Response> {
  return fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) });
}

interface Content {
  type: string;
  body: string;
}

function signed({ type, body }: Content, to: RequestUrl, retry: Posting['headers'] = {}): Posting {
  return { body, headers: { 'content-type': type, ...signatureHeaders(body, to.signingSecret, to.now()), ...retry } };
}

/** Returns the headers that prove to a bot that a request is from Slack: `v0=` and HMAC-SHA256 over `v0:<seconds>:<body>`. */
function signatureHeaders(body: string, signingSecret: string, atMs: number): Readonly<Record<string, string>> {
  const seconds = String(Math.floor(atMs / 1000));
  const digest = createHmac('sha256', signingSecret).update(`v0:${seconds}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': seconds, 'x-slack-signature': `v0=${digest}` };
}

function contentOf(type: EnvelopeType, payload: Json): Content {
  if (type === 'events_api') return { type: JSON_TYPE, body: JSON.stringify(payload) };
  const fields = type === 'slash_commands' ? payload : { payload: JSON.stringify(payload) };
  const form = Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]);
  return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(form).toString() };
}

function retryHeaders(attempt: number): Posting['headers'] {
  return attempt === 0 ? {} : { 'x-slack-retry-num': String(attempt), 'x-slack-retry-reason': 'http_timeout' };
}

function acknowledgment(text: string): Json {
  const parsed = parseJson(text);
  return isJson(parsed) ? parsed : {};
}
