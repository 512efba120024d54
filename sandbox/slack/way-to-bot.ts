import type { Delivery, EnvelopeType, Repetition } from './delivery.ts';
import { HttpDelivery, type RequestUrl } from './http-delivery.ts';
import type { Json } from './page-protocol.ts';
import type { SocketMode } from './socket-mode.ts';

/** How payloads reach the bot: over its sockets, or by HTTP once it has given an address. */
export class WayToBot {
  readonly #sockets: SocketMode;
  #http: HttpDelivery | undefined;

  constructor(sockets: SocketMode) {
    this.#sockets = sockets;
  }

  /** From now on payloads are posted there, signed. Throws RequestUrlError, and changes nothing, when the bot is not there. */
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

  /** Takes a payload to the bot and waits for its acknowledgement. */
  deliver(type: EnvelopeType, payload: Json, repetition?: Repetition): Promise<Delivery> {
    return (this.#http ?? this.#sockets).deliver(type, payload, repetition);
  }
}
