import type { Fault } from './faults.ts';
import type { Json } from './page-protocol.ts';
import type { Changes } from './state/changes.ts';

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

export interface Call {
  readonly method: string;
  /** The arguments as received, without the token. */
  readonly args: Json;
  /** Milliseconds by the workspace's clock. */
  readonly at: number;
  /** The body of the answer; null if it was withheld or lost. */
  readonly answer: Json | null;
}

/** A sandbox can run for days, so the oldest calls are dropped. */
const KEPT = 10_000;

export class CallLog {
  #calls: Call[] = [];
  readonly #parts: { readonly changes: Changes; readonly now: () => number };

  constructor(parts: { changes: Changes; now: () => number }) {
    this.#parts = parts;
  }

  all(): readonly Call[] {
    return [...this.#calls];
  }

  of(method: string): readonly Call[] {
    return this.#calls.filter((call) => call.method === method);
  }

  record(method: string, args: Json, reply: Reply): void {
    const { changes, now } = this.#parts;
    this.#calls.push({ method, args, at: now(), answer: reply.kind === 'answer' ? reply.body : null });
    if (this.#calls.length > KEPT) this.#calls.shift();
    changes.notify();
  }

  clear(): void {
    this.#calls = [];
  }
}
