import type { Delivery, EnvelopeType, Repetition } from './delivery.ts';
import { HttpDelivery, type RequestUrl } from './http-delivery.ts';
import type { Json } from './page-protocol.ts';
import type { SocketMode } from './socket-mode.ts';

/** Delivers payloads to the bot: over its sockets, or by HTTP once it has a URL. */
export class WayToBot {
  readonly #sockets: SocketMode;
  #http: HttpDelivery | undefined;

  constructor(sockets: SocketMode) {
    this.#sockets = sockets;
  }

  /** Sets the URL for signed requests. Throws RequestUrlError, and changes nothing, if the bot isn't there. */
  async postTo(requestUrl: RequestUrl): Promise<void> {
    const http = new HttpDelivery(requestUrl);
    await http.verify();
    this.#http = http;
  }

  get http(): HttpDelivery | undefined {
    return this.#http;
  }

  get isOpen(): boolean {
    return this.#http !== undefined || this.#sockets.connections > 0;
  }

  /** Delivers a payload to the bot and waits for its acknowledgment. */
  async deliver(type: EnvelopeType, payload: Json, repetition?: Repetition): Promise<Delivery> {
    return (this.#http ?? this.#sockets).deliver(type, payload, repetition);
  }
}
