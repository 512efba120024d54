import type { Arguments } from '../arguments.ts';
import type { Json } from '../page-protocol.ts';
import { Refusal } from '../refusal.ts';
import { APP_ID, BOT, ENTERPRISE, TEAM } from '../seed.ts';
import type { SlackState } from '../state/slack-state.ts';

/** api.test: returns its arguments, or fails with their `error`. */
export function apiTest(args: Arguments): Json {
  const error = args.text('error');
  if (error !== undefined) throw new Refusal(error, { args: args.all });
  return { args: args.all };
}

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

/** bots.info: this Slack has one bot. */
export function botInfo(args: Arguments, slack: SlackState): Json {
  if ((args.text('bot') ?? BOT.botId) !== BOT.botId) throw new Refusal('bot_not_found');
  const { name } = slack.manifest.display_information;
  return { bot: { id: BOT.botId, app_id: APP_ID, user_id: BOT.userId, name, deleted: false, updated: 0, icons: {} } };
}

/** team.info */
export function teamInfo(args: Arguments, slack: SlackState): Json {
  if ((args.text('team') ?? TEAM.id) !== TEAM.id) throw new Refusal('team_not_found');
  const enterprise = slack.isInEnterprise ? { enterprise_id: ENTERPRISE.id, enterprise_name: ENTERPRISE.name } : {};
  return { team: { id: TEAM.id, name: TEAM.domain, domain: TEAM.domain, email_domain: '', icon: {}, ...enterprise } };
}
