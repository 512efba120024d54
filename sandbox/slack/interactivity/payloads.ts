import { echoed } from '../block-kit/echo.ts';
import { messageObject } from '../block-kit/message-object.ts';
import { viewObject } from '../block-kit/view-object.ts';
import type { Json, StateValues } from '../page-protocol.ts';
import { APP_ID, ENTERPRISE, OTHER_TEAM, type SeedPerson, TEAM } from '../seed.ts';
import type { Channel } from '../state/conversations.ts';
import type { Message } from '../state/messages.ts';
import type { SlackState } from '../state/slack-state.ts';
import { standingOf } from '../state/standing.ts';
import type { View } from '../state/view.ts';

/** The obsolete verification token. Slack still sends one; apps verify by signature or by socket. */
const VERIFICATION_TOKEN = 'sandbox';

/** Returns the fields that every interactive payload has. */
export function common(type: string, person: SeedPerson, { isInEnterprise }: Pick<SlackState, 'isInEnterprise'>): Json {
  const { id, name, teamId = TEAM.id, isNameless = false } = person;
  const names = isNameless ? {} : { username: name, name };
  return {
    type,
    token: VERIFICATION_TOKEN,
    api_app_id: APP_ID,
    team: isInEnterprise ? { ...TEAM, enterprise_id: ENTERPRISE.id, enterprise_name: ENTERPRISE.name } : TEAM,
    enterprise: isInEnterprise ? ENTERPRISE : null,
    is_enterprise_install: false,
    user: { id, ...names, team_id: teamId },
  };
}

/** Returns a slash command's payload; all values are strings, as in Slack. The team is the person's own. */
export function slashCommand(
  typed: {
    person: SeedPerson;
    channel: Channel;
    command: string;
    text: string;
    triggerId: string;
    responseUrl: string;
  },
  { isInEnterprise }: Pick<SlackState, 'isInEnterprise'>,
): Json {
  return {
    token: VERIFICATION_TOKEN,
    ...teamOf(typed.person),
    ...(isInEnterprise ? { enterprise_id: ENTERPRISE.id, enterprise_name: ENTERPRISE.name } : {}),
    channel_id: typed.channel.id,
    channel_name: typed.channel.name,
    user_id: typed.person.id,
    ...(typed.person.isNameless ? {} : { user_name: typed.person.name }),
    command: typed.command,
    text: typed.text,
    api_app_id: APP_ID,
    is_enterprise_install: 'false',
    response_url: typed.responseUrl,
    trigger_id: typed.triggerId,
  };
}

function teamOf(person: SeedPerson): Json {
  const { teamId = TEAM.id } = person;
  return {
    team_id: teamId,
    team_domain: standingOf(person) === 'other organization' ? OTHER_TEAM.domain : TEAM.domain,
  };
}

/** Returns a component's place for `block_actions` and `block_suggestion`. Slack leaves out the message if it is ephemeral. */
export function messageSurface(message: Message, channel: Channel, values: StateValues): Json {
  const isEphemeral = message.onlyVisibleTo !== null;
  return {
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: channel.id,
      is_ephemeral: isEphemeral,
      ...(message.threadTs === null ? {} : { thread_ts: message.threadTs }),
    },
    channel: { id: channel.id, name: channel.name },
    ...(isEphemeral ? {} : { message: messageObject(message) }),
    state: { values: echoed(values) },
  };
}

export function viewSurface(shown: View, values: StateValues): Json {
  return { container: { type: 'view', view_id: shown.id }, view: viewObject(shown, values) };
}
