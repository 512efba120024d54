import type { Events } from './events.ts';
import type { DisconnectReason, SocketMode } from './socket-mode.ts';
import type { BlockKit } from './validate/block-kit.ts';

/**
 * A fault of a call. `when` says whether Slack had carried the call out: with 'after', the answer gets lost although the message is in the
 * channel. An HTTP status comes 'before' by default.
 */
export type Fault =
  | { readonly kind: 'error'; readonly error: string }
  | { readonly kind: 'rate-limited'; readonly retryAfterSeconds: number }
  | { readonly kind: 'http'; readonly status: number; readonly when?: 'before' | 'after' }
  | { readonly kind: 'hang'; readonly when: 'before' | 'after' }
  | { readonly kind: 'reset'; readonly when: 'before' | 'after' };

interface Planned {
  readonly fault: Fault;
  readonly left: number;
}

export class SlackFaults {
  readonly #planned = new Map<string, readonly Planned[]>();
  readonly #sockets: SocketMode;
  readonly #events: Events;
  readonly #blockKit: BlockKit;
  readonly #limited: boolean;
  /** Whether Slack's limits apply: calls of each method in a minute, messages in a second. */
  rateLimits: boolean;

  constructor(parts: { sockets: SocketMode; events: Events; blockKit: BlockKit; rateLimits: boolean }) {
    this.#sockets = parts.sockets;
    this.#events = parts.events;
    this.#blockKit = parts.blockKit;
    this.#limited = parts.rateLimits;
    this.rateLimits = parts.rateLimits;
  }

  /**
   * Gives the next `times` calls of `method` (a Web API method, `response_url`, `upload`, or `*` for any) the fault.
   *
   * @returns a function that removes only this fault, as far as it isn't used up.
   */
  next(method: string, fault: Fault, times = 1): () => void {
    const own = { ...fault };
    this.#planned.set(method, [...this.#plannedFor(method), { fault: own, left: times }]);
    return () => {
      this.#planned.set(
        method,
        this.#plannedFor(method).filter((planned) => planned.fault !== own),
      );
    };
  }

  /** Gives every call of `method` the fault, until `clear` or the returned function is called. */
  always(method: string, fault: Fault): () => void {
    return this.next(method, fault, Number.POSITIVE_INFINITY);
  }

  /** Refuses data tables, charts, containers and alerts until `clear` or the returned function is called. */
  refuseNewerBlocks(): () => void {
    this.#blockKit.refusesNewerBlocks = true;
    return () => {
      this.#blockKit.refusesNewerBlocks = false;
    };
  }

  clear(): void {
    this.#blockKit.refusesNewerBlocks = false;
    this.#planned.clear();
    this.rateLimits = this.#limited;
  }

  take(method: string): Fault | undefined {
    return this.#takeFrom(method) ?? this.#takeFrom('*');
  }

  dropSockets(): void {
    this.#sockets.drop();
  }

  /** Sends Slack's `disconnect` to every connection, or to `count` of them, as Slack does every few hours. */
  refreshSockets(reason: DisconnectReason = 'refresh_requested', count = Number.POSITIVE_INFINITY): void {
    this.#sockets.refresh(reason, count);
  }

  /** Redelivers the last event under its `event_id` at once, by sockets or HTTP. */
  redeliverEvent(): Promise<void> {
    return this.#events.redeliver();
  }

  redeliverLast(): void {
    this.#sockets.redeliverLast();
  }

  #plannedFor(method: string): readonly Planned[] {
    return this.#planned.get(method) ?? [];
  }

  #takeFrom(method: string): Fault | undefined {
    const [first, ...later] = this.#plannedFor(method);
    if (first === undefined) return undefined;
    const left = first.left - 1;
    this.#planned.set(method, left > 0 ? [{ ...first, left }, ...later] : later);
    return first.fault;
  }
}
