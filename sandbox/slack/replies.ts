import type { Fault } from './faults.ts';
import type { Json } from './page-protocol.ts';

/** An HTTP reply: an answer, or no answer or a cut connection as a fault. */
export type Reply =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Json;
    }
  | { readonly kind: 'hang' }
  | { readonly kind: 'reset' };

export function answer(body: Json, status = 200, headers: Readonly<Record<string, string>> = {}): Reply {
  return { kind: 'answer', status, headers, body };
}

/** Returns Slack's answer to too many calls: HTTP 429, `ratelimited`, seconds in `Retry-After`. */
export function rateLimited(retryAfterSeconds: number): Reply {
  return answer({ ok: false, error: 'ratelimited' }, 429, { 'retry-after': String(retryAfterSeconds) });
}

/** Carries a call out as the fault allows: not at all, with another answer, or with its answer lost. */
export function replyUnder(fault: Fault | undefined, carryOut: () => Reply): Reply {
  switch (fault?.kind) {
    case undefined:
      return carryOut();
    case 'error':
      return answer({ ok: false, error: fault.error });
    case 'rate-limited':
      return rateLimited(fault.retryAfterSeconds);
    case 'http':
      if (fault.when === 'after') carryOut();
      return answer({ ok: false, error: 'internal_error' }, fault.status);
    case 'hang':
    case 'reset':
      if (fault.when === 'after') carryOut();
      return { kind: fault.kind };
  }
}
