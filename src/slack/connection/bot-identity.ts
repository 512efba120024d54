import type { AuthorizeResult } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { HomeTeam } from '../../domain/access/membership.ts';

/**
 * Who the bot is in its workspace, asked once. Bolt, given the token instead, asks in its constructor, and where that
 * one call fails refuses every delivery until the next start.
 */
export class BotIdentity {
  readonly #client: WebClient;
  readonly #botToken: string;
  #authorization: AuthorizeResult | null = null;
  #homeTeam: HomeTeam = { teamId: null, enterpriseId: null };
  #scopes: readonly string[] | null = null;

  constructor(client: WebClient, botToken: string) {
    this.#client = client;
    this.#botToken = botToken;
  }

  /** @throws the Web API client's errors; it may be asked again then. */
  async ask(): Promise<AuthorizeResult> {
    const told = await this.#client.auth.test();
    const { bot_id: botId, user_id: botUserId, team_id: teamId, enterprise_id: enterpriseId } = told;
    this.#homeTeam = { teamId: teamId ?? null, enterpriseId: enterpriseId ?? null };
    this.#scopes = told.response_metadata?.scopes ?? null;
    this.#authorization = {
      botToken: this.#botToken,
      // Without it Bolt's clients name the team of anyone who acts, which for somebody from elsewhere is another.
      ...(teamId === undefined ? {} : { teamId }),
      ...(botId === undefined ? {} : { botId }),
      ...(botUserId === undefined ? {} : { botUserId }),
    };
    return this.#authorization;
  }

  /** Known once `ask` was answered. */
  homeTeam(): HomeTeam {
    return this.#homeTeam;
  }

  /** What was granted to the bot token, as of `ask`; null where Slack did not say. */
  scopes(): readonly string[] | null {
    return this.#scopes;
  }

  /** What Bolt needs to know with each delivery. */
  authorization(): AuthorizeResult {
    if (this.#authorization === null) throw new Error('A delivery came before the bot knew who it is');
    return this.#authorization;
  }
}
