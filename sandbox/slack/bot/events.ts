import { randomUUID } from 'node:crypto';
import type { Json } from '../page-protocol.ts';
import { BOT, ENTERPRISE, TEAM } from '../seed.ts';
import type { Channel, Message, SlackState } from '../state.ts';

/** Sends the bot an event, even if its manifest doesn't subscribe to it; test/manifest.test.ts checks the manifest's events. */
export async function sendEvent(
  event: Json & { readonly type: string },
  { bot, isInEnterprise }: SlackState,
): Promise<void> {
  const authorization = { enterprise_id: isInEnterprise ? ENTERPRISE.id : null, team_id: TEAM.id, user_id: BOT.userId };
  await bot.deliver('events_api', {
    type: 'event_callback',
    team_id: TEAM.id,
    event,
    event_id: `Ev${randomUUID()}`,
    authorizations: [{ ...authorization, is_bot: true, is_enterprise_install: false }],
  });
}

/** Sends the bot the event of any message in a direct message with it, and of one that mentions it in another of its channels. */
export async function sendMessageEvent(
  { author, text, ts, channel: id, threadTs }: Message,
  channel: Channel,
  slack: SlackState,
  edited: Json = {},
): Promise<void> {
  if (!channel.members.includes(BOT.userId)) return;
  const fields = {
    user: author,
    text,
    ts,
    channel: id,
    event_ts: ts,
    ...(threadTs !== null && { thread_ts: threadTs }),
    ...edited,
  };
  if (channel.kind === 'direct') await sendEvent({ type: 'message', channel_type: 'im', ...fields }, slack);
  else if (text.includes(`<@${BOT.userId}>`)) await sendEvent({ type: 'app_mention', ...fields }, slack);
}
