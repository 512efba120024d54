import type { Logger } from '../../domain/logger.ts';
import type { SlackDelivery } from './delivery.ts';

/**
 * Answers a delivery and each repeat of it with the first response that a listener gives. One that can't be sent
 * because the connection closed is logged, not thrown: the listener still answers the person who asked.
 */
export class Ack {
  readonly #logger: Logger;
  readonly #onGiven: () => void;
  readonly #waiting: SlackDelivery[];
  #given: { readonly response: unknown } | null = null;
  #isAbandoned = false;

  constructor(delivery: SlackDelivery, logger: Logger, onGiven: () => void) {
    this.#waiting = [delivery];
    this.#logger = logger;
    this.#onGiven = onGiven;
  }

  /** Bolt's `ack`. */
  readonly give = async (response?: unknown): Promise<void> => {
    if (this.#given !== null) {
      this.#logger.warn({}, 'A listener acknowledged what had been acknowledged; Slack has the first response');
      return;
    }
    this.#given = { response };
    this.#onGiven();
    await Promise.all(this.#waiting.map((delivery) => this.#send(delivery, response)));
  };

  /** At once, or as soon as the first delivery is acknowledged. */
  async repeat(delivery: SlackDelivery): Promise<void> {
    if (this.#given !== null) await this.#send(delivery, this.#given.response);
    else if (this.#isAbandoned) delivery.abandon();
    else this.#waiting.push(delivery);
  }

  abandon(): void {
    if (this.#given !== null) return;
    this.#isAbandoned = true;
    for (const delivery of this.#waiting) delivery.abandon();
  }

  async #send(delivery: SlackDelivery, response: unknown): Promise<void> {
    try {
      await delivery.acknowledge(response);
    } catch (err) {
      this.#logger.warn({ err, deliveryType: delivery.type }, 'An acknowledgment could not be sent');
    }
  }
}
