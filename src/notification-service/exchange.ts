import { pipeline, type Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createUnzip } from 'node:zlib';
import { type Dispatcher, request as requestOnce } from 'undici';
import { systemCode } from '../domain/text/system-code.ts';

/** One request, ready to send. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: string;
  readonly headers: Headers;
  readonly body?: string;
}

/** What an answer's headers say, by names in small letters; null for one that isn't there. */
export type AnswerHeaders = Pick<Headers, 'get'>;

/** What came of sending it once. */
export type Outcome =
  /** `text` is null for a body beyond the limit. */
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: AnswerHeaders;
      readonly text: string | null;
    }
  | { readonly kind: 'timed-out'; readonly afterMs: number }
  /** `mayHaveArrived`: whether the service may have received the request before the connection broke. */
  | { readonly kind: 'disconnected'; readonly code: string | null; readonly mayHaveArrived: boolean };

/** A page of 50 events with 100 kB bodies in their details stays well below. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/**
 * Sends a request once and reads the whole answer, within `timeoutMs` for both together. Rejects only with the signal's reason.
 * Redirects are not followed: the key must not travel. By undici's `request`: the copies and web streams of `fetch`, and so of ofetch,
 * cost more than reading a page does (`bench/client.ts`).
 */
export async function exchange(
  request: HttpRequest,
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
): Promise<Outcome> {
  const { timeoutMs, signal } = options;
  signal?.throwIfAborted();
  const controller = new AbortController();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    controller.abort();
  }, timeoutMs);
  const abort = () => controller.abort();
  signal?.addEventListener('abort', abort);
  try {
    return await send(request, controller.signal);
  } catch (error) {
    if (timedOut) return { kind: 'timed-out', afterMs: timeoutMs };
    signal?.throwIfAborted();
    return disconnected(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

async function send({ url, ...init }: HttpRequest, signal: AbortSignal): Promise<Outcome> {
  const { statusCode, headers, body } = await requestOnce(url, { ...init, signal });
  const isCompressed = /gzip|deflate/i.test(`${headers['content-encoding']}`);
  const text = await readText(isCompressed ? unzipped(body) : body);
  return { kind: 'answered', status: statusCode, headers: readable(headers), text };
}

function readable(headers: Dispatcher.ResponseData['headers']): AnswerHeaders {
  return { get: (name) => [headers[name] ?? []].flat()[0] ?? null };
}

/** Where either breaks, so does what is read of it. */
function unzipped(body: Readable): Readable {
  return pipeline(body, createUnzip(), () => {});
}

/** Decodes chunk by chunk: a page's chunks in one buffer and then in one string would be two big allocations more, 0.1 ms. */
async function readText(body: Readable): Promise<string | null> {
  const decoder = new StringDecoder('utf8');
  let text = '';
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) return null;
    text += decoder.write(chunk);
  }
  return text + decoder.end();
}

/** No connection was made, so nothing was sent. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** Only the system's code is kept: the errors of HTTP clients carry the address, its query and the key. */
function disconnected(error: unknown): Outcome {
  const code = systemCode(error);
  return { kind: 'disconnected', code, mayHaveArrived: code === null || !NOT_CONNECTED.has(code) };
}
