import type { Json } from './page-protocol.ts';
import type { Reply } from './replies.ts';
import type { Changes } from './state/changes.ts';

/** One call of the bot: the name of a Web API method, or `response_url`. */
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

/** The bot's calls, oldest first. */
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

  /** Records a call and its answer. */
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
