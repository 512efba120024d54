import { setTimeout as wait } from 'node:timers/promises';
import type { App, Receiver } from '@slack/bolt';
import type { Logger } from '../../domain/logger.ts';
import { Ack } from './ack.ts';
import type { SlackDelivery } from './delivery.ts';
import { RecentDeliveries } from './recent-deliveries.ts';

/** The time is since the delivery arrived. */
export type AckObserver = (deliveryType: string, milliseconds: number) => void;

export interface ReceiverOptions {
  readonly logger: Logger;
  /** In milliseconds. */
  readonly now: () => number;
  readonly onAcknowledged: AckObserver;
}

/**
 * Each delivery once: Slack repeats them, sometimes over another socket. A repeat whose first delivery didn't arrive is
 * handled like any other, because events sent while Notif wasn't connected arrive only as repeats.
 */
export class DeliveryReceiver implements Receiver {
  readonly #options: ReceiverOptions;
  readonly #recent: RecentDeliveries;
  readonly #running = new RunningWork();
  #app: App | null = null;

  constructor(options: ReceiverOptions) {
    this.#options = options;
    this.#recent = new RecentDeliveries(options.now);
  }

  init(app: App): void {
    this.#app = app;
  }

  /** The owner of this receiver opens and closes the connection to Slack. */
  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  readonly receive = (delivery: SlackDelivery): void => {
    const key = deliveryKey(delivery);
    const ack = this.#recent.get(key);
    if (ack === undefined) {
      this.#running.add(this.#handle(key, delivery));
      return;
    }
    this.#options.logger.info({ deliveryType: delivery.type }, 'A repeated delivery is acknowledged like the first');
    void ack.repeat(delivery);
  };

  /** Returns how many listeners still run after `limitMs`. */
  drain(limitMs: number): Promise<number> {
    return this.#running.drain(limitMs);
  }

  async #handle(key: string, delivery: SlackDelivery): Promise<void> {
    const { logger, now, onAcknowledged } = this.#options;
    const arrivedAt = now();
    const ack = new Ack(delivery, logger, () => onAcknowledged(delivery.type, now() - arrivedAt));
    this.#recent.remember(key, ack);
    const { body, retryNum, retryReason } = delivery;
    const retry = {
      ...(retryNum === undefined ? {} : { retryNum }),
      ...(retryReason === undefined ? {} : { retryReason }),
    };
    try {
      await this.#app?.processEvent({ body: { ...body }, ack: ack.give, ...retry });
    } catch (err) {
      this.#recent.forget(key);
      logger.error({ err, deliveryType: delivery.type }, 'A delivery from Slack could not be handled');
    } finally {
      ack.abandon();
    }
  }
}

/** The same when Slack repeats a delivery: an event's ID, or an interaction's trigger ID, which is used once. */
function deliveryKey({ id, body }: SlackDelivery): string {
  const lasting = [body.event_id, body.trigger_id].find((value) => typeof value === 'string');
  return String(lasting ?? id);
}

class RunningWork {
  readonly #running = new Set<Promise<void>>();

  /** `work` must not reject. */
  add(work: Promise<void>): void {
    this.#running.add(work);
    void work.then(() => this.#running.delete(work));
  }

  /** Returns how much work still runs after `limitMs`. */
  async drain(limitMs: number): Promise<number> {
    await Promise.race([this.#idle(), wait(limitMs, undefined, { ref: false })]);
    return this.#running.size;
  }

  async #idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
