import { PlannedFaults } from '../planned-faults.ts';
import type { SlackState } from './state.ts';
import { NEWER_KINDS, type NewerKind } from './validate/block-kit.ts';

/** `when` says whether Slack carries the call out first: 'after' loses only the answer. */
export type Fault =
  | { kind: 'error'; error: string }
  | { kind: 'rate-limited'; retryAfterSeconds: number }
  | { kind: 'http'; status: number }
  | { kind: 'hang' | 'reset'; when: 'before' | 'after' };

export class SlackFaults extends PlannedFaults<string, Fault> {
  readonly #slack: SlackState;

  constructor(slack: SlackState) {
    super();
    this.#slack = slack;
  }

  /** Gives the next calls of a method, `response_url`, `upload` or `*` the fault. Returns a function that removes only this fault. */
  next(method: string, fault: Fault, times = 1): () => void {
    return this.plan(method, fault, times);
  }

  always(method: string, fault: Fault): () => void {
    return this.next(method, fault, Number.POSITIVE_INFINITY);
  }

  /** Refuses these kinds of blocks, or all newer ones, until the returned function is called. */
  refuseBlocks(...kinds: readonly NewerKind[]): () => void {
    this.#slack.blockKit.refused = kinds.length > 0 ? kinds : NEWER_KINDS;
    return () => {
      this.#slack.blockKit.refused = [];
    };
  }

  override clear(): void {
    this.#slack.blockKit.refused = [];
    super.clear();
  }

  take(method: string): Fault | undefined {
    return this.takeFor(method, '*');
  }

  dropSockets(): void {
    this.#slack.sockets.cutConnections();
  }

  /** Sends Slack's `disconnect` to every connection, as Slack does every few hours. */
  refreshSockets(): void {
    this.#slack.sockets.refreshConnections();
  }

  redeliver(): Promise<void> {
    return this.#slack.bot.redeliver();
  }
}
