import type { SlackState } from './state.ts';
import { NEWER_KINDS, type NewerKind } from './validate/block-kit.ts';

/** `when` says whether Slack had carried the call out: 'after' loses the answer. */
export type Fault =
  | { kind: 'error'; error: string }
  | { kind: 'rate-limited'; retryAfterSeconds: number }
  | { kind: 'http'; status: number }
  | { kind: 'hang' | 'reset'; when: 'before' | 'after' };

interface Planned {
  method: string;
  fault: Fault;
  left: number;
}

export class SlackFaults {
  #planned: readonly Planned[] = [];
  readonly #slack: SlackState;

  constructor(slack: SlackState) {
    this.#slack = slack;
  }

  /** Gives the next calls of a method, `response_url`, `upload` or `*` the fault. The returned function removes only this one. */
  next(method: string, fault: Fault, times = 1): () => void {
    const planned = { method, fault, left: times };
    this.#planned = [...this.#planned, planned];
    return () => {
      this.#planned = this.#planned.filter((other) => other !== planned);
    };
  }

  always(method: string, fault: Fault): () => void {
    return this.next(method, fault, Number.POSITIVE_INFINITY);
  }

  refuseBlocks(...kinds: readonly NewerKind[]): () => void {
    this.#slack.blockKit.refused = kinds.length > 0 ? kinds : NEWER_KINDS;
    return () => {
      this.#slack.blockKit.refused = [];
    };
  }

  clear(): void {
    this.#slack.blockKit.refused = [];
    this.#planned = [];
  }

  take(method: string): Fault | undefined {
    const ofMethod = (name: string) => this.#planned.find((planned) => planned.method === name);
    const planned = ofMethod(method) ?? ofMethod('*');
    if (planned === undefined) return undefined;
    planned.left -= 1;
    this.#planned = this.#planned.filter(({ left }) => left > 0);
    return planned.fault;
  }

  dropSockets(): void {
    this.#slack.sockets.drop();
  }

  /** Sends Slack's `disconnect` to every connection, as Slack does every few hours. */
  refreshSockets(): void {
    this.#slack.sockets.refresh();
  }

  redeliver(): Promise<void> {
    return this.#slack.bot.redeliver();
  }
}
