import { ofetch } from 'ofetch';
import { systemCode, wasNeverConnected } from '../lib/text/system-code.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: object;
}

/** `text`: null for a body beyond the limit. `mayHaveArrived`: whether the service may have got the request. */
export type ExchangeOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly headers: Headers; readonly text: string | null }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'disconnected'; readonly code: string | null; readonly mayHaveArrived: boolean };

const MAX_BODY_BYTES = 32 * 1024 * 1024;

/**
 * Sends a request once and reads the whole response. Rejects only with the signal's reason: ofetch's errors hold the address and its query.
 * Doesn't follow redirects, so that the key doesn't leak.
 */
export async function exchange(
  { url, ...request }: HttpRequest,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<ExchangeOutcome> {
  signal?.throwIfAborted();
  const end = until(timeoutMs, signal);
  const own = { retry: false, redirect: 'manual', responseType: 'stream', ignoreResponseError: true } as const;
  try {
    const response = await ofetch.raw<unknown, 'stream'>(url, { ...request, ...own, signal: end.signal });
    const { status, headers, ok, body } = response;
    try {
      return { kind: 'answered', status, headers, text: await readText(body) };
    } catch (error) {
      // The status of a refusal is known without its body; an answer isn't.
      if (end.signal.aborted || ok) throw error;
      return { kind: 'answered', status, headers, text: '' };
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (end.signal.aborted) return { kind: 'timed-out' };
    return { kind: 'disconnected', code: systemCode(error), mayHaveArrived: !wasNeverConnected(error) };
  } finally {
    end.cancel();
  }
}

async function readText(body: ReadableStream<Uint8Array> | null): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/**
 * A signal that aborts after a time or with another one, unless it is cancelled before. Node 20's `AbortSignal.any` keeps each combination
 * for as long as the longest of its signals lives.
 */
export function until(ms: number, other: AbortSignal | undefined, reason?: Error) {
  const controller = new AbortController();
  const abort = () => controller.abort(other?.reason);
  const timer = setTimeout(() => controller.abort(reason), ms);
  other?.addEventListener('abort', abort);
  if (other?.aborted) abort();
  const cancel = () => {
    clearTimeout(timer);
    other?.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, cancel };
}
