import { randomUUID } from 'node:crypto';
import type { Json } from '../page-protocol.ts';
import { APP_ID, BOT, TEAM } from '../seed.ts';
import type { SlackState } from '../state/slack-state.ts';

export type BotEvent = Json & { readonly type: string };

/** Tells the bot of an event that its manifest subscribes to, and waits for the acknowledgement; once, whatever becomes of it. */
export async function tellEvent(event: BotEvent, slack: SlackState): Promise<void> {
  const subscribed = slack.manifest.settings.event_subscriptions?.bot_events ?? [];
  if (!subscribed.includes(event.type)) return;
  const delivery = await slack.bot.deliver('events_api', wrapped({ ...event, event_ts: slack.nextTs() }, slack));
  if (!delivery.ok) console.warn('the bot did not take an event', { type: event.type, reason: delivery.error });
}

function wrapped(event: Json, slack: SlackState): Json {
  const authorization = { enterprise_id: null, team_id: TEAM.id, is_enterprise_install: false };
  return {
    type: 'event_callback',
    token: 'sandbox',
    team_id: TEAM.id,
    api_app_id: APP_ID,
    event,
    event_id: `Ev${randomUUID().replaceAll('-', '').slice(0, 10).toUpperCase()}`,
    event_time: Math.floor(slack.now() / 1000),
    authorizations: [{ ...authorization, user_id: BOT.userId, is_bot: true }],
    is_ext_shared_channel: false,
  };
}
