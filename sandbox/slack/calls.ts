import type { Json } from './page-protocol.ts';
import type { Reply } from './replies.ts';
import type { Changes } from './state/changes.ts';
import type { Traffic } from './traffic/traffic.ts';

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
  readonly #parts: { readonly changes: Changes; readonly traffic: Traffic; readonly now: () => number };

  constructor(parts: { changes: Changes; traffic: Traffic; now: () => number }) {
    this.#parts = parts;
  }

  all(): readonly Call[] {
    return [...this.#calls];
  }

  of(method: string): readonly Call[] {
    return this.#calls.filter((call) => call.method === method);
  }

  /** How many messages were posted for everybody, refused and lost calls included; in all, or in one channel. */
  posts(where: { readonly channel?: string } = {}): number {
    return this.#count('chat.postMessage', where);
  }

  /** How many times a message was to be changed; in all, in one channel, or one message. */
  edits(where: { readonly channel?: string; readonly ts?: string } = {}): number {
    return this.#count('chat.update', where);
  }

  /** Writes down a call and what goes back, here and in the traffic. */
  record(method: string, args: Json, reply: Reply): void {
    const { changes, traffic, now } = this.#parts;
    this.#calls.push({ method, args, at: now(), answer: reply.kind === 'answer' ? reply.body : null });
    if (this.#calls.length > KEPT) this.#calls.shift();
    traffic.call(method, args, reply);
    changes.notify();
  }

  clear(): void {
    this.#calls = [];
  }

  #count(method: string, where: Json): number {
    const isThere = ({ args }: Call) => Object.entries(where).every(([name, value]) => args[name] === value);
    return this.of(method).filter(isThere).length;
  }
}
