import { messageObject } from '../block-kit/message-object.ts';
import type { SeedPerson } from '../seed.ts';
import type { Channel } from '../state/conversations.ts';
import type { Message } from '../state/messages.ts';
import type { SlackState } from '../state/slack-state.ts';
import { failed, type Interaction } from './interaction.ts';
import { common } from './payloads.ts';
import { tell } from './tell.ts';

/** Runs a person's global shortcut, which has no channel. */
export async function chooseShortcut(person: SeedPerson, callbackId: string, slack: SlackState): Promise<Interaction> {
  if (!offers('global', callbackId, slack)) return failed('unknown_shortcut', `There is no shortcut ${callbackId}.`);
  const trigger = { trigger_id: slack.triggers.issue(person.id), action_ts: slack.nextTs() };
  return tell({ ...common('shortcut', person, slack), ...trigger, callback_id: callbackId }, slack);
}

/** Runs a person's shortcut from a message's menu. */
export async function chooseMessageShortcut(
  {
    person,
    callbackId,
    channel,
    message,
  }: { person: SeedPerson; callbackId: string; channel: Channel; message: Message },
  slack: SlackState,
): Promise<Interaction> {
  if (!offers('message', callbackId, slack)) return failed('unknown_shortcut', `There is no shortcut ${callbackId}.`);
  const target = { person: person.id, channel: channel.id, sourceTs: message.ts };
  return tell(
    {
      ...common('message_action', person, slack),
      callback_id: callbackId,
      trigger_id: slack.triggers.issue(person.id),
      response_url: slack.responseUrls.issue(target),
      action_ts: slack.nextTs(),
      message_ts: message.ts,
      message: messageObject(message),
      channel: { id: channel.id, name: channel.name },
    },
    slack,
  );
}

function offers(type: 'global' | 'message', callbackId: string, slack: SlackState): boolean {
  return slack.manifest.features.shortcuts.some((each) => each.type === type && each.callback_id === callbackId);
}
