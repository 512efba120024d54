import type { AuthorizeResult } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';

/**
 * Who the bot is in its workspace, asked once. Bolt, given the token instead, asks in its constructor, and where that
 * one call fails refuses every delivery until the next start.
 */
export class BotIdentity {
  readonly #client: WebClient;
  readonly #botToken: string;
  #authorization: AuthorizeResult | null = null;

  constructor(client: WebClient, botToken: string) {
    this.#client = client;
    this.#botToken = botToken;
  }

  /** @throws the Web API client's errors; it may be asked again then. */
  async ask(): Promise<AuthorizeResult> {
    const { bot_id: botId, user_id: botUserId } = await this.#client.auth.test();
    this.#authorization = {
      botToken: this.#botToken,
      ...(botId === undefined ? {} : { botId }),
      ...(botUserId === undefined ? {} : { botUserId }),
    };
    return this.#authorization;
  }

  /** What Bolt needs to know with each delivery. */
  authorization(): AuthorizeResult {
    if (this.#authorization === null) throw new Error('A delivery came before the bot knew who it is');
    return this.#authorization;
  }
}
