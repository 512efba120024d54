import { pipeline, type Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createUnzip } from 'node:zlib';
import { type Dispatcher, request as requestOnce } from 'undici';
import { systemCode, wasNeverConnected } from '../domain/text/system-code.ts';

/** A request that is ready to send. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: string;
  readonly headers: Headers;
  readonly body?: string;
}

/** The headers of a response, by lowercase names. Null for one that is absent. */
export type AnswerHeaders = Pick<Headers, 'get'>;

/** The outcome of sending a request once. */
export type ExchangeOutcome =
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

/** A page of 50 events with bodies of 100 kB in their details is well below this. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/**
 * Sends a request once and reads the whole response, within `timeoutMs` for both together. Rejects only with the signal's reason. Doesn't
 * follow redirects, so that the key doesn't leak. Uses undici's `request`: the copies and web streams of `fetch`, and so of ofetch, cost
 * more than reading a page does (`bench/client.ts`).
 */
export async function exchange(
  request: HttpRequest,
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
): Promise<ExchangeOutcome> {
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

async function send({ url, ...init }: HttpRequest, signal: AbortSignal): Promise<ExchangeOutcome> {
  const { statusCode, headers, body } = await requestOnce(url, { ...init, signal });
  const answer = { kind: 'answered', status: statusCode, headers: readable(headers) } as const;
  const isEmpty = statusCode === NO_CONTENT || headers['content-length'] === '0';
  const isCompressed = !isEmpty && /gzip|deflate/i.test(`${headers['content-encoding']}`);
  try {
    return { ...answer, text: await readText(isCompressed ? unzipped(body) : body) };
  } catch (error) {
    // The status of a refusal is known without its body; an answer isn't.
    if (signal.aborted || isSuccess(statusCode)) throw error;
    return { ...answer, text: '' };
  }
}

/** A status whose response has no body. */
export const NO_CONTENT = 204;

/** Returns whether a status says that a request was carried out. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function readable(headers: Dispatcher.ResponseData['headers']): AnswerHeaders {
  return { get: (name) => [headers[name] ?? []].flat()[0] ?? null };
}

/** Decompresses a body. If either stream breaks, so does the result. */
function unzipped(body: Readable): Readable {
  return pipeline(body, createUnzip(), () => {});
}

/** Decodes chunk by chunk: joining the chunks in a buffer and then in a string would cost two more large allocations, 0.1 ms. */
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

/** Keeps only the system's code: the errors of HTTP clients contain the address, its query and the key. */
function disconnected(error: unknown): ExchangeOutcome {
  const code = systemCode(error);
  return { kind: 'disconnected', code, mayHaveArrived: !wasNeverConnected(error) };
}
