import type { Json } from './page-protocol.ts';
import type { SlackState } from './state.ts';

export type Reply =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Json;
    }
  | { readonly kind: 'hang' | 'reset' };

export interface Call {
  readonly method: string;
  readonly args: Json;
  readonly at: number;
  readonly answer: Json | null;
}

const KEPT = 10_000;

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
    if (this.#calls.length > KEPT) this.#calls.shift();
    changes.notify();
  }

  clear(): void {
    this.#calls = [];
  }
}
