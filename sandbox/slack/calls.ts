import type { Json } from './page-protocol.ts';
import type { SlackState } from './state.ts';

export type Reply =
  | { kind: 'answer'; status: number; headers: Readonly<Record<string, string>>; body: Json }
  | { kind: 'hang' | 'reset' };

export interface Call {
  method: string;
  args: Json;
  at: number;
  /** Null if a fault left the bot without one. */
  answer: Json | null;
}

/** A sandbox can run for days, so the oldest calls are dropped. */
const MOST_CALLS = 10_000;

/** What the bot has called, for tests. */
export class CallLog {
  #calls: Call[] = [];
  readonly #slack: SlackState;

  constructor(slack: SlackState) {
    this.#slack = slack;
  }

  all(): readonly Call[] {
    return [...this.#calls];
  }

  of(method: string): readonly Call[] {
    return this.#calls.filter((call) => call.method === method);
  }

  record(method: string, args: Json, reply: Reply): void {
    const { changes, now } = this.#slack;
    this.#calls.push({ method, args, at: now(), answer: reply.kind === 'answer' ? reply.body : null });
    if (this.#calls.length > MOST_CALLS) this.#calls.shift();
    changes.notify();
  }

  clear(): void {
    this.#calls = [];
  }
}
