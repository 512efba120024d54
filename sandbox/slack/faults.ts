import type { Events } from './events/events.ts';
import type { DisconnectReason, SocketMode } from './socket-mode.ts';

/**
 * What can go wrong with a call. `when` says whether Slack had carried it out: 'after' is the answer that gets lost
 * although the message is in the channel. An HTTP status comes 'before' unless it is said otherwise.
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

/** The switches for a bad day at Slack, turned at run time. */
export class SlackFaults {
  readonly #planned = new Map<string, readonly Planned[]>();
  readonly #sockets: SocketMode;
  readonly #events: Events;
  readonly #limited: boolean;
  /** When on, Slack's limits hold: calls of each method in a minute, messages in a second. */
  rateLimits: boolean;

  constructor(parts: { sockets: SocketMode; events: Events; rateLimits: boolean }) {
    this.#sockets = parts.sockets;
    this.#events = parts.events;
    this.#limited = parts.rateLimits;
    this.rateLimits = parts.rateLimits;
  }

  /**
   * The next `times` calls of `method` (a Web API method, `response_url`, `upload`, or `*` for any) meet the fault.
   *
   * @returns takes back this fault alone, as far as it is not used up.
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

  /** Until `clear`, or until what it returns is called, every call of `method` meets the fault. */
  always(method: string, fault: Fault): () => void {
    return this.next(method, fault, Number.POSITIVE_INFINITY);
  }

  /** Takes back every planned fault; the rate limits are on or off again as at the start. */
  clear(): void {
    this.#planned.clear();
    this.rateLimits = this.#limited;
  }

  /** The fault that the call at hand meets, if any. */
  take(method: string): Fault | undefined {
    return this.#takeFrom(method) ?? this.#takeFrom('*');
  }

  /** Cuts every Socket Mode connection. */
  dropSockets(): void {
    this.#sockets.drop();
  }

  /** Sends every connection, or `count` of them, Slack's `disconnect`, as it does every few hours. */
  refreshSockets(reason: DisconnectReason = 'refresh_requested', count = Number.POSITIVE_INFINITY): void {
    this.#sockets.refresh(reason, count);
  }

  /** Tells the last event again, under its `event_id`, without waiting for its time; by sockets or HTTP. */
  redeliverEvent(): Promise<void> {
    return this.#events.redeliver();
  }

  /** Sends the last envelope again under the same id. */
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
