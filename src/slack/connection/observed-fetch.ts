import type { FetchFunction } from '@slack/web-api';
import { z } from 'zod';
import type { Observer } from '../../domain/observer.ts';

/**
 * A call ends with `ok`, Slack's error code, `rate_limited`, `http_500` and the like, `timed_out` or `unreachable`. The
 * response is read to its end here, so that one that breaks off counts as a failed request.
 */
export function observedFetch(send: FetchFunction, observe: Observer): FetchFunction {
  return async (url, init) => {
    const observeEnd = observe(methodOf(String(url)));
    try {
      const answer = await send(url, init);
      const text = await answer.text();
      observeEnd(outcomeOf(answer.status, text));
      const { status, statusText, headers } = answer;
      return new Response(text === '' ? null : text, { status, statusText, headers: [...headers.entries()] });
    } catch (error) {
      observeEnd(error instanceof Error && error.name === 'TimeoutError' ? 'timed_out' : 'unreachable');
      throw error;
    }
  };
}

/** `chat.postMessage`. Each file upload has a different address, so uploads share one name. */
function methodOf(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  return /^[a-z]+(\.[a-zA-Z]+)+$/.test(last) ? last : 'upload';
}

const Refusal = z.object({ ok: z.literal(false), error: z.string().regex(/^[a-z_]{1,60}$/) });

function outcomeOf(status: number, text: string): string {
  if (status === 429) return 'rate_limited';
  if (status !== 200) return `http_${status}`;
  if (text.startsWith('<')) return 'not_json';
  // Pages of history are long, so only possible errors are parsed.
  if (!text.includes('"ok":false')) return 'ok';
  return refusalIn(text) ?? 'ok';
}

function refusalIn(text: string): string | null {
  try {
    return Refusal.safeParse(JSON.parse(text)).data?.error ?? null;
  } catch {
    // Slack's client reports invalid JSON as an error.
    return 'not_json';
  }
}
