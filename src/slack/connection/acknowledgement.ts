import type { Logger } from '../../domain/logger.ts';
import type { Envelope } from './socket-client.ts';

/**
 * How one delivery is acknowledged: with the first response that a listener gives, to the delivery and to each repeat
 * of it. A response that can't be sent, since the socket closed, is logged and not thrown: the listener still answers
 * whoever asked.
 */
export class Acknowledgement {
  readonly #logger: Logger;
  readonly #onGiven: () => void;
  readonly #waiting: Envelope[];
  #given: { readonly response: unknown } | null = null;

  constructor(envelope: Envelope, logger: Logger, onGiven: () => void) {
    this.#waiting = [envelope];
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
    await Promise.all(this.#waiting.map((envelope) => this.#send(envelope, response)));
  };

  /** Acknowledges a repeat like the first, at once or when that is. */
  async repeat(envelope: Envelope): Promise<void> {
    if (this.#given === null) this.#waiting.push(envelope);
    else await this.#send(envelope, this.#given.response);
  }

  async #send(envelope: Envelope, response: unknown): Promise<void> {
    try {
      await envelope.acknowledge(response);
    } catch (error) {
      this.#logger.warn({ error, deliveryType: envelope.type }, 'An acknowledgement could not be sent');
    }
  }
}
