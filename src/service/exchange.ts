import { ofetch } from 'ofetch';
import { systemCode, wasNeverConnected } from '../lib/errors.ts';
import { abortAfter } from '../lib/time/waiting.ts';

/** Bounds the memory of a request. No page of events comes near it. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

interface HttpRequest {
  method: 'GET' | 'POST' | 'PATCH';
  url: string;
  headers: Record<string, string>;
  body?: string;
}

/** A `text` of null is longer than the largest body that is read. */
export type ExchangeOutcome =
  | { kind: 'answered'; status: number; headers: Headers; text: string | null }
  | { kind: 'timed-out' }
  | { kind: 'disconnected'; code: string | null; mayHaveArrived: boolean };

/** Rejects only with the signal's reason: ofetch's errors hold the address. A redirect isn't followed: the key would leak. */
export async function exchange(
  { url, ...request }: HttpRequest,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<ExchangeOutcome> {
  const end = abortAfter(timeoutMs, signal);
  const fixed = { retry: false, redirect: 'manual', responseType: 'stream', ignoreResponseError: true } as const;
  try {
    const response = await ofetch.raw<unknown, 'stream'>(url, { ...request, ...fixed, signal: end.signal });
    const { status, headers, body } = response;
    return { kind: 'answered', status, headers, text: await readText(body) };
  } catch (error) {
    signal?.throwIfAborted();
    if (end.signal.aborted) return { kind: 'timed-out' };
    return { kind: 'disconnected', code: systemCode(error), mayHaveArrived: !wasNeverConnected(error) };
  } finally {
    end.cancel();
  }
}

async function readText(body: ReadableStream<Uint8Array> | null): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
