import { tellOfMessage } from '../events/message-events.ts';
import type { SeedPerson } from '../seed.ts';
import type { Channel } from '../state/conversations.ts';
import type { SlackState } from '../state/slack-state.ts';
import { failed, type Interaction } from './interaction.ts';
import { storedText } from './typed-text.ts';

/** Writes a person's message, in a channel or as a reply in a thread. `threadTs` can be that of any message in the thread. */
export async function say(
  { person, channel, text, threadTs }: SaidBy & { text: string; threadTs?: string | undefined },
  slack: SlackState,
): Promise<Interaction> {
  const answered = threadTs === undefined ? undefined : slack.messages.find(channel.id, threadTs);
  const isAnswerable = threadTs === undefined || (answered !== undefined && answered.onlyVisibleTo === null);
  if (!isAnswerable) return failed('thread_not_found', 'There is nothing to reply to.');
  const message = slack.messages.post({
    ...{ text: storedText(text, slack), blocks: [], attachments: [], metadata: null },
    channel: channel.id,
    author: person.id,
    threadTs: answered?.threadTs ?? answered?.ts ?? null,
  });
  await tellOfMessage(message, { person, channel }, slack);
  return { ok: true, ackMs: 0 };
}

interface SaidBy {
  readonly person: SeedPerson;
  readonly channel: Channel;
}
