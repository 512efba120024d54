import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Delivery, EnvelopeType, Repetition, RetryReason } from './delivery.ts';
import { isJson, parseJson, stringIn } from './json.ts';
import type { Json } from './page-protocol.ts';
import { signatureHeaders } from './request-signature.ts';

/** The address of a bot without Socket Mode. */
export interface RequestUrl {
  /** Such as http://127.0.0.1:3000/slack/events */
  readonly url: string;
  readonly signingSecret: string;
  readonly ackTimeoutMs: number;
  /** Milliseconds; the bot refuses a signature that is five minutes off its own clock. */
  readonly now: () => number;
}

/** A request as it was posted. */
export interface Posting {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What Slack says when a request URL is saved that does not answer the challenge. */
export class RequestUrlError extends Error {
  constructor(url: string, found: string, cause?: unknown) {
    super(`Your URL didn't respond with the value of the challenge parameter: ${url} ${found}`, { cause });
    this.name = 'RequestUrlError';
  }
}

/** How long an address has to give its challenge back. */
const CHALLENGE_TIMEOUT_MS = 3_000;

/** Posts payloads as Slack does to an app without Socket Mode: signed, to one address; the answer is the acknowledgment. */
export class HttpDelivery {
  readonly #to: RequestUrl;
  #last: Posting | undefined;

  constructor(to: RequestUrl) {
    this.#to = to;
  }

  /** The request that was posted last. */
  get last(): Posting | undefined {
    return this.#last;
  }

  /** Anything but a 2xx is `dispatch_failed`. */
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

  /** Asks the address to prove that it is the bot's: it gives the challenge back. Throws RequestUrlError when it does not. */
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

  /** Sends a request as it is, whatever its signature; gives the bot's answer. */
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

/** Events are JSON; a command is a form of its fields, and an interaction a form with one field. */
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

/** fetch says only that it failed; why is in its cause. */
function reasonOf(error: unknown): string {
  return String(error instanceof Error ? (error.cause ?? error) : error);
}

/** An acknowledgment is empty, an object, or a text. */
function acknowledgment(text: string): Json {
  const parsed = parseJson(text);
  if (isJson(parsed)) return parsed;
  return text === '' ? {} : { text };
}
