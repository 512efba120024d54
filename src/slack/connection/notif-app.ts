import { App, type AppOptions, type Receiver, type ReceiverEvent } from '@slack/bolt';
import type { Logger } from '../../lib/logger.ts';
import { MINUTE_MS } from '../../lib/time/durations.ts';
import { inTime } from '../../lib/time/waiting.ts';

/** Hears what a request was, and how long its acknowledgment took. */
export type AckObserver = (requestType: string, milliseconds: number) => void;

/** Claims what a person did by its ID. False if this or another run of Notif, or a replica, had it before. */
export type IsFirst = (interaction: string) => Promise<boolean>;

interface AppParts {
  logger: Logger;
  onAcknowledged: AckObserver;
  /** Null for sockets, by which nobody can replay a request. */
  isFirst: IsFirst | null;
}

/** Slack repeats a request for about six minutes. */
const REMEMBERED_MS = 10 * MINUTE_MS;
/** How long it's asked whether a request is a replay: Slack waits three seconds for the acknowledgment. */
const CLAIMED_WITHIN_MS = 100;

export class NotifApp extends App {
  /** While false, requests fail, so that Slack repeats events. */
  isTaking = false;
  readonly #logger: Logger;
  readonly #onAck: AckObserver;
  readonly #isFirst: IsFirst | null;
  readonly #taken = new Set<unknown>();
  readonly #running = new Set<Promise<void>>();

  constructor([receiver, ...others]: readonly Receiver[], options: AppOptions, parts: AppParts) {
    super({ ...options, ...(receiver && { receiver }) });
    for (const other of others) other.init(this);
    this.#logger = parts.logger;
    this.#onAck = parts.onAcknowledged;
    this.#isFirst = parts.isFirst;
  }

  override async processEvent(event: ReceiverEvent): Promise<void> {
    if (!this.isTaking) throw new Error('Notif takes no requests before it has started, or once it stops');
    const { body } = event;
    // What has no ID isn't repeated.
    const key: unknown = body.event_id ?? body.trigger_id ?? Symbol('no repeats');
    const requestType = body.event ? 'events_api' : body.command ? 'slash_commands' : 'interactive';
    const isTaken = this.#taken.has(key);
    this.#taken.add(key);
    const arrivedAt = performance.now();
    if (isTaken || (await this.#wasTaken(body.trigger_id))) {
      this.#logger.info({ requestType }, 'A repeated request is only acknowledged');
      return void (await event.ack());
    }
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

  /** Slack repeats events, also after a crash, but never what a person did. */
  async #wasTaken(interaction: unknown): Promise<boolean> {
    if (this.#isFirst === null || typeof interaction !== 'string') return false;
    const isFirst = this.#isFirst(interaction).catch((err: unknown) => {
      this.#logger.warn({ err }, "Whether a request is a replay couldn't be asked");
      return true;
    });
    return !(await inTime(isFirst, CLAIMED_WITHIN_MS, true));
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
