import { App, type AppOptions, type Receiver, type ReceiverEvent } from '@slack/bolt';
import type { Logger } from '../../lib/logger.ts';
import { inTime } from '../../lib/time/waiting.ts';

/** Hears what a request was, and how long its acknowledgment took. */
export type AckObserver = (requestType: string, milliseconds: number) => void;

/** Slack repeats a request for about six minutes. */
const REMEMBERED_MS = 10 * 60_000;

export class NotifApp extends App {
  /** While false, requests fail, so that Slack repeats events. */
  isTaking = false;
  readonly #logger: Logger;
  readonly #onAck: AckObserver;
  readonly #taken = new Set<unknown>();
  readonly #running = new Set<Promise<void>>();

  constructor([receiver, ...others]: readonly Receiver[], options: AppOptions, logger: Logger, onAck: AckObserver) {
    super({ ...options, ...(receiver && { receiver }) });
    for (const other of others) other.init(this);
    this.#logger = logger;
    this.#onAck = onAck;
  }

  override async processEvent(event: ReceiverEvent): Promise<void> {
    if (!this.isTaking) throw new Error('Notif takes no requests before it has started, or once it stops');
    const { body } = event;
    const key: unknown = body.event_id ?? body.trigger_id ?? Symbol('no repeats');
    const requestType = body.event ? 'events_api' : body.command ? 'slash_commands' : 'interactive';
    if (this.#taken.has(key)) {
      this.#logger.info({ requestType }, 'A repeated request is only acknowledged');
      return void (await event.ack());
    }
    const arrivedAt = performance.now();
    this.#taken.add(key);
    setTimeout(() => this.#taken.delete(key), REMEMBERED_MS).unref();
    const ack = async (response?: unknown) => {
      this.#onAck(requestType, performance.now() - arrivedAt);
      await event.ack(response).catch((err: unknown) => {
        this.#logger.warn({ err, requestType }, "An acknowledgment couldn't be sent");
      });
    };
    const handled = super.processEvent({ ...event, ack });
    this.#running.add(handled);
    try {
      await handled;
    } catch (err) {
      this.#taken.delete(key);
      this.#logger.error({ err, requestType }, "A request from Slack couldn't be handled");
      throw err;
    } finally {
      this.#running.delete(handled);
    }
  }

  /** Waits for running listeners, and returns how many go on. */
  async drain(limitMs: number): Promise<number> {
    const idle = async () => {
      while (this.#running.size > 0) await Promise.allSettled(this.#running);
    };
    await inTime(idle(), limitMs, null);
    return this.#running.size;
  }
}
