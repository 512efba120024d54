import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { Delivery, EnvelopeType, Repetition } from './delivery.ts';
import type { Json } from './page-protocol.ts';
import { APP_ID } from './seed.ts';
import { Envelopes } from './socket-envelopes.ts';
import type { Changes } from './state/changes.ts';

const MAX_CONNECTIONS = 10;
const PING_EVERY_MS = 10_000;
const GOODBYE_MS = 500;
/** With `debug_reconnects=true` in the URL, Slack refreshes a connection after six minutes. */
const SHORT_LIFE_MS = 360_000;
/** The WebSocket close code of a server that is shutting down. */
const GOING_AWAY = 1001;

export type DisconnectReason = 'warning' | 'refresh_requested' | 'link_disabled' | 'too_many_websockets';

/** The server side of Socket Mode: tickets, up to ten connections, envelopes to any of them, acknowledgments. */
export class SocketMode {
  readonly #changes: Changes;
  readonly #envelopes: Envelopes;
  readonly #lifeMs: number;
  readonly #tickets = new Set<string>();
  /** Every connection, including those that were asked to close. */
  readonly #all = new Set<WebSocket>();
  /** The connections that still get envelopes, the next one first. */
  #open: readonly WebSocket[] = [];

  /** @param options `lifeMs`: a connection's life until it must be reopened. */
  constructor(options: { changes: Changes; ackTimeoutMs: number; lifeMs: number }) {
    this.#changes = options.changes;
    this.#envelopes = new Envelopes(options.ackTimeoutMs);
    this.#lifeMs = options.lifeMs;
  }

  /** Returns the number of the bot's open connections. */
  get connections(): number {
    return this.#open.length;
  }

  /** Issues a ticket, which admits one connection once. */
  issueTicket(): string {
    const ticket = randomUUID();
    this.#tickets.add(ticket);
    return ticket;
  }

  redeemTicket(ticket: string): boolean {
    return this.#tickets.delete(ticket);
  }

  /** Accepts a connection and greets it. The eleventh is refused, as in Slack. */
  accept(socket: WebSocket, isShortLived: boolean): void {
    this.#all.add(socket);
    socket.on('error', (error) => console.warn('a Socket Mode connection failed', { reason: error.message }));
    socket.on('close', () => this.#forget(socket));
    if (this.#open.length < MAX_CONNECTIONS) this.#takeIn(socket, isShortLived ? SHORT_LIFE_MS : this.#lifeMs);
    else this.#sendAway(socket, 'too_many_websockets');
  }

  /**
   * Sends a payload to one connection, each in turn, and waits for its acknowledgment. Returns `dispatch_failed` if no connection is open
   * and `operation_timeout` if nothing came back in time.
   */
  async deliver(type: EnvelopeType, payload: Json, repetition?: Repetition): Promise<Delivery> {
    const [next, ...others] = this.#open;
    if (next === undefined) return { ok: false, ackMs: 0, error: 'dispatch_failed', retry: 'timeout' };
    this.#open = [...others, next];
    return this.#envelopes.send(next, type, payload, repetition);
  }

  /** Sends the last envelope again under the same ID, as Slack does when it takes an answer for lost. */
  redeliverLast(): void {
    const [next] = this.#open;
    if (next === undefined) return;
    this.#envelopes.resendLast(next);
  }

  /** Cuts every connection without a goodbye. */
  drop(): void {
    for (const socket of this.#open) socket.terminate();
  }

  /** Asks the bot to reopen the next `count` connections, which get nothing from then on. */
  refresh(reason: DisconnectReason, count: number): void {
    for (const socket of this.#open.slice(0, count)) this.#end(socket, reason);
  }

  /** Closes every connection. One that doesn't confirm is cut. */
  async close(): Promise<void> {
    this.#envelopes.close();
    await Promise.all([...this.#all].map(closeWithin));
  }

  #takeIn(socket: WebSocket, lifeMs: number): void {
    const pings = setInterval(() => socket.ping(), PING_EVERY_MS);
    socket.on('message', (data) => this.#envelopes.acknowledge(String(data)));
    const life = setTimeout(() => this.#end(socket, 'refresh_requested'), lifeMs);
    socket.on('close', () => {
      clearInterval(pings);
      clearTimeout(life);
    });
    this.#open = [...this.#open, socket];
    socket.send(JSON.stringify(hello(this.#open.length, lifeMs)));
    this.#changes.notify();
  }

  #forget(socket: WebSocket): void {
    this.#all.delete(socket);
    this.#open = this.#open.filter((each) => each !== socket);
    this.#changes.notify();
  }

  #end(socket: WebSocket, reason: DisconnectReason): void {
    this.#open = this.#open.filter((each) => each !== socket);
    this.#sendAway(socket, reason);
    this.#changes.notify();
  }

  #sendAway(socket: WebSocket, reason: DisconnectReason): void {
    socket.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'sandbox' } }));
    socket.close();
  }
}

function closeWithin(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => socket.terminate(), GOODBYE_MS);
    socket.once('close', () => {
      clearTimeout(cut);
      resolve();
    });
    socket.close(GOING_AWAY);
  });
}

function hello(connections: number, lifeMs: number): object {
  return {
    type: 'hello',
    num_connections: connections,
    connection_info: { app_id: APP_ID },
    debug_info: { host: 'sandbox', build_number: 1, approximate_connection_time: Math.round(lifeMs / 1_000) },
  };
}
