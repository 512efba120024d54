import type { FetchFunction } from '@slack/web-api';
import { z } from 'zod';
import type { Observer } from '../../domain/observer.ts';

/**
 * A fetch for Slack's client that tells an observer of each call by its method. It ends with `ok`, Slack's word for what was wrong,
 * `rate_limited`, `http_500` and the like, `timed_out` or `unreachable`. The answer is read here to its end, so that one that breaks
 * off is a failed request like any other.
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

/** `chat.postMessage` of `https://slack.com/api/chat.postMessage`. Files go to an address of their own, which differs each time. */
function methodOf(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  return /^[a-z]+(\.[a-zA-Z]+)+$/.test(last) ? last : 'upload';
}

const Refusal = z.object({ ok: z.literal(false), error: z.string().regex(/^[a-z_]{1,60}$/) });

function outcomeOf(status: number, text: string): string {
  if (status === 429) return 'rate_limited';
  if (status !== 200) return `http_${status}`;
  if (text.startsWith('<')) return 'not_json';
  // Pages of history are long; only what may be a refusal is parsed.
  if (!text.includes('"ok":false')) return 'ok';
  return refusalIn(text) ?? 'ok';
}

function refusalIn(text: string): string | null {
  try {
    return Refusal.safeParse(JSON.parse(text)).data?.error ?? null;
  } catch {
    // Not JSON: Slack's client makes an error of it.
    return 'not_json';
  }
}
