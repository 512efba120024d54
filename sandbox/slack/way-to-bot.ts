import type { Delivery, EnvelopeType, Repetition } from './delivery.ts';
import { HttpDelivery, type RequestUrl } from './http-delivery.ts';
import type { Json } from './page-protocol.ts';
import type { SocketMode } from './socket-mode.ts';
import type { Traffic } from './traffic/traffic.ts';

/** Delivers payloads to the bot: over its sockets, or by HTTP once it has a URL. */
export class WayToBot {
  readonly #sockets: SocketMode;
  readonly #traffic: Traffic;
  #http: HttpDelivery | undefined;

  constructor(sockets: SocketMode, traffic: Traffic) {
    this.#sockets = sockets;
    this.#traffic = traffic;
  }

  /** Sets the URL for signed requests. Throws RequestUrlError, and changes nothing, if the bot isn't there. */
  async postTo(requestUrl: RequestUrl): Promise<void> {
    const http = new HttpDelivery(requestUrl);
    await http.verify();
    this.#http = http;
    this.#traffic.connection('request URL verified', requestUrl.url);
  }

  get http(): HttpDelivery | undefined {
    return this.#http;
  }

  get isOpen(): boolean {
    return this.#http !== undefined || this.#sockets.connections > 0;
  }

  /** Delivers a payload to the bot and waits for its acknowledgment. */
  async deliver(type: EnvelopeType, payload: Json, repetition?: Repetition): Promise<Delivery> {
    const settle = this.#traffic.envelope(type, payload, repetition);
    const delivery = await (this.#http ?? this.#sockets).deliver(type, payload, repetition);
    settle(delivery);
    return delivery;
  }
}
