import type { Posting } from './http-delivery.ts';
import { signatureHeaders } from './request-signature.ts';
import type { WayToBot } from './way-to-bot.ts';

/** A signature holds for five minutes. */
const TOO_OLD_MS = 6 * 60_000;

/** Somebody who is not Slack and posts to the bot's request URL; each attempt gives the HTTP status that the bot answered with. */
export class Forger {
  readonly #bot: WayToBot;
  readonly #signingSecret: string;
  readonly #now: () => number;

  constructor(parts: { bot: WayToBot; signingSecret: string; now: () => number }) {
    this.#bot = parts.bot;
    this.#signingSecret = parts.signingSecret;
    this.#now = parts.now;
  }

  /** The last request's body, signed just now with a guessed secret. */
  postsWithWrongSignature(): Promise<number> {
    return this.#posts(({ body }) => signatureHeaders(body, 'guessed', this.#now()));
  }

  /** The last request's body, signed rightly six minutes ago. */
  postsWithOldTimestamp(): Promise<number> {
    return this.#posts(({ body }) => signatureHeaders(body, this.#signingSecret, this.#now() - TOO_OLD_MS));
  }

  /** The last request just as it was, with its own time and signature. */
  replays(): Promise<number> {
    return this.#posts(({ headers }) => headers);
  }

  /** Another body under the last request's time and signature. */
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
