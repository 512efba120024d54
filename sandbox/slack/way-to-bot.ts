import type { Delivery, EnvelopeType } from './delivery.ts';
import { deliverByHttp, type RequestUrl } from './http-delivery.ts';
import type { Json } from './page-protocol.ts';
import type { SocketMode } from './socket-mode.ts';

/** How payloads reach the bot: over its sockets, or by HTTP once it has given an address. */
export class WayToBot {
  readonly #sockets: SocketMode;
  #requestUrl: RequestUrl | undefined;

  constructor(sockets: SocketMode) {
    this.#sockets = sockets;
  }

  /** From now on payloads are posted there, signed. */
  postTo(requestUrl: RequestUrl): void {
    this.#requestUrl = requestUrl;
  }

  get isOpen(): boolean {
    return this.#requestUrl !== undefined || this.#sockets.connections > 0;
  }

  /** Takes a payload to the bot and waits for its acknowledgement. */
  deliver(type: EnvelopeType, payload: Json): Promise<Delivery> {
    return this.#requestUrl === undefined
      ? this.#sockets.deliver(type, payload)
      : deliverByHttp(type, payload, this.#requestUrl);
  }
}
