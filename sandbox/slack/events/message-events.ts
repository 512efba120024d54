import { randomUUID } from 'node:crypto';
import type { Json } from '../page-protocol.ts';
import { BOT, type SeedPerson, TEAM } from '../seed.ts';
import type { Channel } from '../state/conversations.ts';
import type { Message } from '../state/messages.ts';
import type { SlackState } from '../state/slack-state.ts';
import { standingOf } from '../state/standing.ts';

/** Sends the bot what a person wrote to it: in their direct message, or with its mention in a channel that it is in. */
export async function tellOfMessage(
  message: Message,
  { person, channel }: { readonly person: SeedPerson; readonly channel: Channel },
  slack: SlackState,
): Promise<void> {
  const { events } = slack;
  if (!channel.members.includes(BOT.userId)) return;
  const fields = { ...fieldsOf(message), ...teamOf(person) };
  if (channel.kind === 'direct') await events.tell({ type: 'message', channel_type: 'im', ...fields }, 'message.im');
  else if (message.text.includes(`<@${BOT.userId}>`)) await events.tell({ type: 'app_mention', ...fields });
}

function fieldsOf({ author, text, ts, channel, threadTs }: Message): Json {
  const thread = threadTs === null ? {} : { thread_ts: threadTs };
  return { client_msg_id: randomUUID(), user: author, text, ts, channel, event_ts: ts, ...thread };
}

/** Slack names the organization of a person from elsewhere three times. */
function teamOf(person: SeedPerson): Json {
  const { teamId = TEAM.id } = person;
  const isStranger = standingOf(person) === 'other organization';
  return { team: teamId, ...(isStranger ? { user_team: teamId, source_team: teamId } : {}) };
}
