import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { WebSocket } from 'ws';
import { isJson, objectIn, parseJson, stringIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import type { Changes } from '../state.ts';
import type { Delivery, EnvelopeType } from './way-to-bot.ts';

interface Pending {
  settle: (delivery: Delivery) => void;
  timer: NodeJS.Timeout;
  sentAt: number;
}

const PING_EVERY_MS = 10_000;
/** A bot that is frozen or gone answers no goodbye. */
const GOODBYE_MS = 500;
/** Slack asks for a new connection after five hours. */
const LIFE_MS = 18_060_000;
/** A WebSocket's code for a server that stops. */
const GOING_AWAY = 1001;

/** The bot's connections by Socket Mode. A payload goes to one of them in turn, and waits for its acknowledgment. */
export class SocketMode {
  readonly #changes: Changes;
  readonly #ackTimeoutMs: number;
  readonly #tickets = new Set<string>();
  /** Those that aren't closed yet, also the ones that get no more deliveries. */
  readonly #unclosed = new Set<WebSocket>();
  /** Those that get deliveries, the next one first. */
  #open: readonly WebSocket[] = [];
  readonly #pending = new Map<string, Pending>();

  constructor(changes: Changes, ackTimeoutMs: number) {
    this.#changes = changes;
    this.#ackTimeoutMs = ackTimeoutMs;
  }

  get connections(): number {
    return this.#open.length;
  }

  issueTicket(): string {
    const ticket = randomUUID();
    this.#tickets.add(ticket);
    return ticket;
  }

  redeemTicket(ticket: string): boolean {
    return this.#tickets.delete(ticket);
  }

  accept(socket: WebSocket): void {
    this.#unclosed.add(socket);
    socket.on('error', (error) => console.warn('a Socket Mode connection failed', { reason: error.message }));
    const pings = setInterval(() => socket.ping(), PING_EVERY_MS);
    const life = setTimeout(() => this.#end(socket), LIFE_MS);
    socket.on('message', (data) => this.#acknowledge(String(data)));
    socket.on('close', () => {
      clearInterval(pings);
      clearTimeout(life);
      this.#unclosed.delete(socket);
      this.#setOpen(this.#open.filter((each) => each !== socket));
    });
    this.#setOpen([...this.#open, socket]);
    socket.send(JSON.stringify({ type: 'hello', num_connections: this.connections }));
  }

  async deliver(type: EnvelopeType, payload: Json, attempt: number): Promise<Delivery> {
    const [next, ...others] = this.#open.filter(({ readyState, OPEN }) => readyState === OPEN);
    if (next === undefined) return { ok: false, ackMs: 0, error: 'dispatch_failed' };
    this.#open = [...others, next];
    const id = randomUUID();
    const marks = type === 'events_api' ? retryMarks(attempt) : {};
    next.send(JSON.stringify({ envelope_id: id, type, payload, accepts_response_payload: true, ...marks }));
    return new Promise((settle) => {
      const giveUp = () => this.#fail(id, 'operation_timeout');
      this.#pending.set(id, { settle, timer: setTimeout(giveUp, this.#ackTimeoutMs), sentAt: performance.now() });
    });
  }

  cutConnections(): void {
    for (const socket of this.#open) socket.terminate();
  }

  /** Asks the bot to reopen its connections; the old ones get no more deliveries. */
  refreshConnections(): void {
    for (const socket of this.#open) this.#end(socket);
  }

  async close(): Promise<void> {
    for (const id of this.#pending.keys()) this.#fail(id, 'dispatch_failed');
    await Promise.all([...this.#unclosed].map(closeOrTerminate));
  }

  /** Takes a frame from the bot: `{envelope_id, payload?}`. A late or repeated acknowledgment changes nothing. */
  #acknowledge(frame: string): void {
    const parsed = parseJson(frame);
    if (!isJson(parsed)) console.warn('a Socket Mode frame was not JSON', { length: frame.length });
    const response = objectIn(parsed, 'payload');
    this.#settle(stringIn(parsed, 'envelope_id') ?? '', (ackMs) => ({ ok: true, ackMs, response }));
  }

  #fail(id: string, error: 'operation_timeout' | 'dispatch_failed'): void {
    this.#settle(id, (ackMs) => ({ ok: false, ackMs, error }));
  }

  #settle(id: string, outcome: (ackMs: number) => Delivery): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    pending.settle(outcome(performance.now() - pending.sentAt));
  }

  #end(socket: WebSocket): void {
    socket.send(JSON.stringify({ type: 'disconnect', reason: 'refresh_requested' }));
    socket.close();
    this.#setOpen(this.#open.filter((each) => each !== socket));
  }

  #setOpen(open: readonly WebSocket[]): void {
    this.#open = open;
    this.#changes.notify();
  }
}

function retryMarks(attempt: number): Json {
  return { retry_attempt: attempt, retry_reason: attempt === 0 ? '' : 'timeout' };
}

function closeOrTerminate(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => socket.terminate(), GOODBYE_MS);
    socket.once('close', () => {
      clearTimeout(cut);
      resolve();
    });
    socket.close(GOING_AWAY);
  });
}
