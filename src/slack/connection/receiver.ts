import type { App, Receiver } from '@slack/bolt';
import type { Logger } from '../../domain/logger.ts';
import { Ack } from './ack.ts';
import type { SlackDelivery } from './delivery.ts';
import { RecentDeliveries } from './recent-deliveries.ts';
import { RunningWork } from './running-work.ts';

/** Called when a delivery is acknowledged, with its type (`slash_commands`, …) and the time since it arrived. */
export type AckObserver = (deliveryType: string, milliseconds: number) => void;

export interface ReceiverOptions {
  readonly logger: Logger;
  /** Returns milliseconds. */
  readonly now: () => number;
  readonly onAcknowledged: AckObserver;
}

/**
 * Passes deliveries from all sockets or by HTTP to one Bolt app, each once: Slack repeats deliveries, sometimes over another socket. A
 * repeat whose first delivery didn't arrive is handled like any other, because events sent while Notif wasn't connected arrive only as
 * repeats.
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

  /** Does nothing: the owner of this receiver opens and closes the connection to Slack. */
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

  /** Waits up to `limitMs` for running listeners. Returns how many are still running. */
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

/**
 * Returns what stays the same when Slack repeats a delivery: an event's ID, else an interaction's trigger ID, which is used once, else the
 * delivery's own ID.
 */
function deliveryKey({ id, body }: SlackDelivery): string {
  const lasting = [body.event_id, body.trigger_id].find((value) => typeof value === 'string');
  return String(lasting ?? id);
}
