import {
  type Delivery,
  type EnvelopeType,
  HttpDelivery,
  type Posting,
  type Repetition,
  type RequestUrl,
  signatureHeaders,
} from './delivery.ts';
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

  async deliver(type: EnvelopeType, payload: Json, repetition?: Repetition): Promise<Delivery> {
    return (this.#http ?? this.#sockets).deliver(type, payload, repetition);
  }
}

const TOO_OLD_MS = 6 * 60_000;

/** Sends forged requests to the bot's request URL. Each attempt returns the HTTP status of the bot's answer. */
export class Forger {
  readonly #bot: WayToBot;
  readonly #signingSecret: string;
  readonly #now: () => number;

  constructor(parts: { bot: WayToBot; signingSecret: string; now: () => number }) {
    this.#bot = parts.bot;
    this.#signingSecret = parts.signingSecret;
    this.#now = parts.now;
  }

  /** Sends the last request's body, signed now with a guessed secret. */
  postsWithWrongSignature(): Promise<number> {
    return this.#posts(({ body }) => signatureHeaders(body, 'guessed', this.#now()));
  }

  /** Sends the last request's body, signed correctly six minutes ago. */
  postsWithOldTimestamp(): Promise<number> {
    return this.#posts(({ body }) => signatureHeaders(body, this.#signingSecret, this.#now() - TOO_OLD_MS));
  }

  /** Sends the last request again with its own time and signature. */
  replays(): Promise<number> {
    return this.#posts(({ headers }) => headers);
  }

  altersBody(): Promise<number> {
    return this.#posts(
      ({ headers }) => headers,
      (body) => body.replace(/\w/, 'x'),
    );
  }

  async #posts(
    sign: (last: Posting) => Posting['headers'],
    alter: (body: string) => string = (body) => body,
  ): Promise<number> {
    const http = this.#bot.http;
    if (http?.last === undefined) throw new Error('nothing was posted yet: call postTo first');
    const { last } = http;
    const response = await http.send({ body: alter(last.body), headers: { ...last.headers, ...sign(last) } });
    return response.status;
  }
}
