import type { Json } from './page-protocol.ts';
import type { Changes } from './state/changes.ts';

/** One call of the bot: a Web API method by its name, or `response_url`. */
export interface Call {
  readonly method: string;
  /** The arguments as they arrived, without the token. */
  readonly args: Json;
  /** Milliseconds of the workspace's clock. */
  readonly at: number;
  /** The body of the answer; null when the answer was kept back or lost. */
  readonly answer: Json | null;
}

/** A sandbox may run for days: the oldest calls go. */
const KEPT = 10_000;

/** The calls that the bot has made, oldest first. */
export class CallLog {
  #calls: Call[] = [];
  readonly #changes: Changes;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  all(): readonly Call[] {
    return [...this.#calls];
  }

  of(method: string): readonly Call[] {
    return this.#calls.filter((call) => call.method === method);
  }

  add(call: Call): void {
    this.#calls.push(call);
    if (this.#calls.length > KEPT) this.#calls.shift();
    this.#changes.notify();
  }

  clear(): void {
    this.#calls = [];
  }
}
