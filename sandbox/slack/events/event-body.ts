import { randomUUID } from 'node:crypto';
import type { Json } from '../page-protocol.ts';
import { APP_ID, BOT, ENTERPRISE, TEAM } from '../seed.ts';
import type { Conversations } from '../state/conversations.ts';
import type { People } from '../state/people.ts';
import { isShared } from '../state/standing.ts';
import type { BotEvent } from './events.ts';

/** Returns the body in which Slack delivers an event: the app, the workspace, and an ID that all its deliveries share. */
export function eventBody(
  event: BotEvent,
  workspace: {
    readonly conversations: Conversations;
    readonly people: People;
    readonly now: () => number;
    readonly isInEnterprise: boolean;
  },
): Json {
  const id = randomUUID().replaceAll('-', '').slice(0, 10).toUpperCase();
  const enterpriseId = workspace.isInEnterprise ? ENTERPRISE.id : null;
  const channel = workspace.conversations.byId(String(event.channel));
  return {
    type: 'event_callback',
    token: 'sandbox',
    team_id: TEAM.id,
    context_team_id: TEAM.id,
    context_enterprise_id: enterpriseId,
    api_app_id: APP_ID,
    event,
    event_id: `Ev${id}`,
    event_time: Math.floor(workspace.now() / 1000),
    event_context: `4-${id}`,
    authorizations: [
      {
        enterprise_id: enterpriseId,
        team_id: TEAM.id,
        user_id: BOT.userId,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: channel !== undefined && isShared(channel, workspace.people),
  };
}
