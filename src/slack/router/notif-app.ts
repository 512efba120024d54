import { setTimeout as wait } from 'node:timers/promises';
import { App, type AppOptions, type Receiver, type ReceiverEvent } from '@slack/bolt';
import type { Logger } from '../../lib/logger.ts';

/** `events_api`, `slash_commands` or `interactive`, and the time since the delivery arrived. */
export type AckObserver = (deliveryType: string, milliseconds: number) => void;

/** Slack's last repeat comes some six minutes after the first delivery, and it sends at most 5,000 events meanwhile. */
const REMEMBERED_MS = 10 * 60_000;

/**
 * Handles each delivery once: Slack repeats them, sometimes over another socket. A repeat whose first delivery didn't arrive is handled like
 * any other, because events sent while Notif wasn't connected arrive only as repeats.
 */
export class NotifApp extends App {
  /** Otherwise deliveries fail, and Slack sends events again. */
  isTaking = false;
  readonly #log: Logger;
  readonly #onAck: AckObserver;
  readonly #responses = new Map<unknown, Promise<unknown>>();
  readonly #running = new Set<Promise<void>>();

  constructor([receiver, ...others]: readonly Receiver[], options: AppOptions, log: Logger, onAck: AckObserver) {
    super({ ...options, ...(receiver && { receiver }) });
    for (const other of others) other.init(this);
    this.#log = log;
    this.#onAck = onAck;
  }

  override async processEvent(event: ReceiverEvent): Promise<void> {
    if (!this.isTaking) throw new Error('Notif takes no deliveries before it has started, or once it stops');
    const { body } = event;
    // The same when Slack repeats a delivery; the second is an interaction's, and used once.
    const key: unknown = body.event_id ?? body.trigger_id ?? Symbol('no repeats');
    const deliveryType = body.event ? 'events_api' : body.command ? 'slash_commands' : 'interactive';
    const response = this.#responses.get(key);
    if (response === undefined) return this.#handle(event, key, deliveryType);
    this.#log.info({ deliveryType }, 'A repeated delivery is acknowledged like the first');
    await event.ack(await response);
  }

  /** Returns how many deliveries are still being handled after `limitMs`. */
  async drain(limitMs: number): Promise<number> {
    const idle = async () => {
      while (this.#running.size > 0) await Promise.allSettled(this.#running);
    };
    await Promise.race([idle(), wait(limitMs, undefined, { ref: false })]);
    return this.#running.size;
  }

  async #handle(event: ReceiverEvent, key: unknown, deliveryType: string): Promise<void> {
    const arrivedAt = performance.now();
    let respond = (_response: unknown): void => {};
    const response = new Promise<unknown>((resolve) => {
      respond = resolve;
    });
    this.#responses.set(key, response);
    setTimeout(() => this.#responses.delete(key), REMEMBERED_MS).unref();
    const ack = async (given?: unknown): Promise<void> => {
      this.#onAck(deliveryType, performance.now() - arrivedAt);
      respond(given);
      // Its connection may have closed meanwhile: the listener still answers the person who asked.
      await event.ack(given).catch((err: unknown) => {
        this.#log.warn({ err, deliveryType }, 'An acknowledgment could not be sent');
      });
    };
    const handled = super.processEvent({ ...event, ack });
    this.#running.add(handled);
    await handled
      .catch((err: unknown) => {
        this.#responses.delete(key);
        this.#log.error({ err, deliveryType }, 'A delivery from Slack could not be handled');
        throw err;
      })
      .finally(() => this.#running.delete(handled));
  }
}
