import type { Arguments } from '../arguments.ts';
import type { Json } from '../page-protocol.ts';
import { Refusal } from '../refusal.ts';
import { APP_ID, BOT, ENTERPRISE, TEAM } from '../seed.ts';
import type { SlackState } from '../state/slack-state.ts';

/** auth.test */
export function authTest(_args: Arguments, slack: SlackState): Json {
  return {
    url: slack.origin,
    team: TEAM.domain,
    team_id: TEAM.id,
    user: slack.manifest.display_information.name.toLowerCase(),
    user_id: BOT.userId,
    bot_id: BOT.botId,
    app_id: APP_ID,
    ...(slack.isInEnterprise ? { enterprise_id: ENTERPRISE.id } : {}),
    is_enterprise_install: false,
  };
}

/** apps.connections.open: returns a URL that admits one Socket Mode connection. */
export function openConnection(_args: Arguments, slack: SlackState): Json {
  if (!slack.manifest.settings.socket_mode_enabled) throw new Refusal('socket_mode_not_enabled');
  return { url: `${slack.origin.replace('http', 'ws')}/link/?ticket=${slack.sockets.issueTicket()}` };
}
