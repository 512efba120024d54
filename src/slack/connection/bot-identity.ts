import type { AuthorizeResult } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { HomeTeam } from '../../domain/access/membership.ts';

/**
 * If Bolt got the token instead, it would ask in its constructor, and if that one call failed, refuse every delivery
 * until the next start.
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

  /** @throws the Web API client's errors. It can be called again then. */
  async ask(): Promise<AuthorizeResult> {
    const answer = await this.#client.auth.test();
    const { bot_id: botId, user_id: botUserId, team_id: teamId, enterprise_id: enterpriseId } = answer;
    this.#homeTeam = { teamId: teamId ?? null, enterpriseId: enterpriseId ?? null };
    this.#scopes = answer.response_metadata?.scopes ?? null;
    this.#authorization = {
      botToken: this.#botToken,
      // Otherwise Bolt's clients use the acting person's team, which is a different one for people from another organization.
      ...(teamId === undefined ? {} : { teamId }),
      ...(botId === undefined ? {} : { botId }),
      ...(botUserId === undefined ? {} : { botUserId }),
    };
    return this.#authorization;
  }

  /** Known once `ask` has resolved. */
  homeTeam(): HomeTeam {
    return this.#homeTeam;
  }

  /** As of `ask`. Null if Slack didn't list them. */
  scopes(): readonly string[] | null {
    return this.#scopes;
  }

  authorization(): AuthorizeResult {
    if (this.#authorization === null) throw new Error('A delivery came before the bot knew who it is');
    return this.#authorization;
  }
}
