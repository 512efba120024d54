import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { WebSocket } from 'ws';
import type { Delivery, EnvelopeType, Repetition } from './delivery.ts';
import { isJson, parseJson, stringIn } from './json.ts';
import type { Json } from './page-protocol.ts';
import { APP_ID } from './seed.ts';
import type { Changes } from './state/changes.ts';

/** A connection of the bot, to which frames are written. */
interface Line {
  send(frame: string): void;
}

interface Pending {
  readonly settle: (delivery: Delivery) => void;
  readonly timer: NodeJS.Timeout;
  readonly sentAt: number;
}

export class Envelopes {
  readonly #ackTimeoutMs: number;
  readonly #pending = new Map<string, Pending>();
  #last: Json | undefined;

  constructor(ackTimeoutMs: number) {
    this.#ackTimeoutMs = ackTimeoutMs;
  }

  send(socket: Line, type: EnvelopeType, payload: Json, repetition?: Repetition): Promise<Delivery> {
    const marks = type === 'events_api' ? retryMarks(repetition) : {};
    const envelope = { envelope_id: randomUUID(), type, payload, accepts_response_payload: true, ...marks };
    this.#last = envelope;
    return new Promise((settle) => {
      this.#await(envelope.envelope_id, settle);
      socket.send(JSON.stringify(envelope));
    });
  }

  /** Sends the last envelope again with Slack's redelivery marks, without waiting for its acknowledgment. */
  resendLast(socket: Line): void {
    if (this.#last === undefined) return;
    socket.send(JSON.stringify({ ...this.#last, ...retryMarks({ attempt: 1, reason: 'timeout' }) }));
  }

  /** Parses a frame from the bot: `{envelope_id, payload?}`. A late or repeated acknowledgment changes nothing. */
  acknowledge(frame: string): void {
    const { envelopeId, response } = parseAcknowledgment(frame);
    const pending = this.#pending.get(envelopeId);
    if (pending !== undefined) this.#settle(envelopeId, { ok: true, ackMs: elapsed(pending.sentAt), response });
  }

  /** Rejects everything that is waiting, because nobody can answer. */
  close(): void {
    for (const [id, pending] of this.#pending) {
      this.#settle(id, { ok: false, ackMs: elapsed(pending.sentAt), error: 'dispatch_failed', retry: 'timeout' });
    }
  }

  #await(id: string, settle: Pending['settle']): void {
    const ackMs = this.#ackTimeoutMs;
    const sentAt = performance.now();
    const giveUp = () => this.#settle(id, { ok: false, ackMs, error: 'operation_timeout', retry: 'timeout' });
    this.#pending.set(id, { settle, timer: setTimeout(giveUp, ackMs), sentAt });
  }

  #settle(id: string, delivery: Delivery): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    clearTimeout(pending?.timer);
    pending?.settle(delivery);
  }
}

/** Returns the marks that Slack puts on every envelope with an event; the first delivery is attempt 0. */
function retryMarks(repetition: Repetition | undefined): Json {
  return { retry_attempt: repetition?.attempt ?? 0, retry_reason: repetition?.reason ?? '' };
}

function elapsed(sentAt: number): number {
  return performance.now() - sentAt;
}

function parseAcknowledgment(frame: string): { envelopeId: string; response: Json } {
  const parsed = parseJson(frame);
  if (parsed === undefined) console.warn('a Socket Mode frame was not JSON', { length: frame.length });
  const payload = isJson(parsed) ? parsed.payload : undefined;
  return { envelopeId: stringIn(parsed, 'envelope_id') ?? '', response: isJson(payload) ? payload : {} };
}

const PING_EVERY_MS = 10_000;
const GOODBYE_MS = 500;
const GOING_AWAY = 1001;

export type DisconnectReason = 'warning' | 'refresh_requested';

/** The server side of Socket Mode: tickets, connections, envelopes to any of them, acknowledgments. */
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

  /** Accepts a connection and greets it. */
  accept(socket: WebSocket): void {
    this.#all.add(socket);
    socket.on('error', (error) => console.warn('a Socket Mode connection failed', { reason: error.message }));
    const pings = setInterval(() => socket.ping(), PING_EVERY_MS);
    const life = setTimeout(() => this.#end(socket, 'refresh_requested'), this.#lifeMs);
    socket.on('message', (data) => this.#envelopes.acknowledge(String(data)));
    socket.on('close', () => {
      clearInterval(pings);
      clearTimeout(life);
      this.#forget(socket);
    });
    this.#open = [...this.#open, socket];
    socket.send(JSON.stringify(hello(this.#open.length, this.#lifeMs)));
    this.#changes.notify();
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

  drop(): void {
    for (const socket of this.#open) socket.terminate();
  }

  /** Asks the bot to reopen the next `count` connections, which get nothing from then on. */
  refresh(reason: DisconnectReason, count: number): void {
    for (const socket of this.#open.slice(0, count)) this.#end(socket, reason);
  }

  async close(): Promise<void> {
    this.#envelopes.close();
    await Promise.all([...this.#all].map(closeWithin));
  }

  #forget(socket: WebSocket): void {
    this.#all.delete(socket);
    this.#open = this.#open.filter((each) => each !== socket);
    this.#changes.notify();
  }

  #end(socket: WebSocket, reason: DisconnectReason): void {
    this.#open = this.#open.filter((each) => each !== socket);
    socket.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'sandbox' } }));
    socket.close();
    this.#changes.notify();
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
