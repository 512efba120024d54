import type { App, Receiver } from '@slack/bolt';
import type { Logger } from '../../domain/logger.ts';
import { Ack } from './ack.ts';
import type { Delivery } from './delivery.ts';
import { RecentDeliveries } from './recent-deliveries.ts';
import { RunningWork } from './running-work.ts';

/** Called when a delivery is acknowledged, with its type (`slash_commands`, …) and how long that took since it arrived. */
export type AckObserver = (deliveryType: string, milliseconds: number) => void;

export interface ReceiverOptions {
  readonly logger: Logger;
  /** Milliseconds. */
  readonly now: () => number;
  readonly onAcknowledged: AckObserver;
}

/**
 * Hands what arrives, over any of the sockets or by HTTP, to one Bolt app, each delivery once: Slack repeats deliveries, at
 * times over another socket. A repeat that was not seen before is handled like any other, since events that came while nobody
 * listened arrive as repeats alone.
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

  /** Anyone who holds this receiver opens and closes the way to Slack; Bolt has nothing to start. */
  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  readonly receive = (delivery: Delivery): void => {
    const key = deliveryKey(delivery);
    const ack = this.#recent.get(key);
    if (ack === undefined) {
      this.#running.add(this.#handle(key, delivery));
      return;
    }
    this.#options.logger.info({ deliveryType: delivery.type }, 'A repeated delivery is acknowledged like the first');
    void ack.repeat(delivery);
  };

  /** Waits for listeners that are under way, `limitMs` at most, and answers how many still are. */
  drain(limitMs: number): Promise<number> {
    return this.#running.drain(limitMs);
  }

  async #handle(key: string, delivery: Delivery): Promise<void> {
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
    } catch (error) {
      this.#recent.forget(key);
      logger.error({ error, deliveryType: delivery.type }, 'A delivery from Slack could not be handled');
    } finally {
      ack.abandon();
    }
  }
}

/**
 * What stays the same when Slack repeats a delivery: an event's id, else an interaction's trigger id, which is used
 * once, else the delivery's own.
 */
function deliveryKey({ id, body }: Delivery): string {
  const lasting = [body.event_id, body.trigger_id].find((value) => typeof value === 'string');
  return String(lasting ?? id);
}
