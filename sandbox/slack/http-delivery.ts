import { createHmac } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Delivery, EnvelopeType } from './delivery.ts';
import { isJson, parseJson } from './json.ts';
import type { Json } from './page-protocol.ts';

export interface RequestUrl {
  /** The address that the bot listens at, such as http://127.0.0.1:3000/slack/events */
  readonly url: string;
  readonly signingSecret: string;
  readonly ackTimeoutMs: number;
  /** Milliseconds; the bot refuses a signature that is five minutes off its own clock. */
  readonly now: () => number;
}

/**
 * Posts a payload as Slack does to an app without Socket Mode: signed; the answer is the acknowledgement.
 * Anything but a 2xx is `dispatch_failed`.
 */
export async function deliverByHttp(type: EnvelopeType, payload: Json, to: RequestUrl): Promise<Delivery> {
  const startedAt = performance.now();
  const ackMs = () => performance.now() - startedAt;
  try {
    const response = await post(type, payload, to);
    const text = await response.text();
    if (!response.ok) return { ok: false, ackMs: ackMs(), error: 'dispatch_failed' };
    return { ok: true, ackMs: ackMs(), response: acknowledgement(text) };
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    if (!isTimeout) console.warn('the bot could not be reached by HTTP', { url: to.url, reason: reasonOf(error) });
    return { ok: false, ackMs: ackMs(), error: isTimeout ? 'operation_timeout' : 'dispatch_failed' };
  }
}

function post(type: EnvelopeType, payload: Json, to: RequestUrl): Promise<Response> {
  const { contentType, body } = bodyOf(type, payload);
  const headers = { 'content-type': contentType, ...signature(body, to) };
  return fetch(to.url, { method: 'POST', headers, body, signal: AbortSignal.timeout(to.ackTimeoutMs) });
}

/** Events are JSON; a command is a form of its fields, and an interaction a form with one field. */
function bodyOf(type: EnvelopeType, payload: Json): { readonly contentType: string; readonly body: string } {
  if (type === 'events_api') return { contentType: 'application/json', body: JSON.stringify(payload) };
  const fields = type === 'slash_commands' ? payload : { payload: JSON.stringify(payload) };
  const form = Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]);
  return { contentType: 'application/x-www-form-urlencoded', body: new URLSearchParams(form).toString() };
}

/** fetch says only that it failed; why is in its cause. */
function reasonOf(error: unknown): string {
  return String(error instanceof Error ? (error.cause ?? error) : error);
}

/** Slack's signature: HMAC-SHA256 over `v0:<seconds>:<body>`. */
function signature(body: string, { signingSecret, now }: RequestUrl): Record<string, string> {
  const seconds = String(Math.floor(now() / 1000));
  const digest = createHmac('sha256', signingSecret).update(`v0:${seconds}:${body}`).digest('hex');
  return {
    'x-slack-request-timestamp': seconds,
    'x-slack-signature': `v0=${digest}`,
  };
}

/** An acknowledgement is empty, an object, or a text. */
function acknowledgement(text: string): Json {
  const parsed = parseJson(text);
  if (isJson(parsed)) return parsed;
  return text === '' ? {} : { text };
}
