import type { NumberedWatch } from '../../domain/watches/numbered-watches.ts';
import type { MutedWatch } from '../../use-cases/watches/mute-watches.ts';
import { actions, type MessageContent, message, section } from '../blocks/blocks.ts';
import { watchButton } from '../blocks/buttons/watch-buttons.ts';
import { muteEnd } from '../blocks/incident/state-words.ts';
import { code, joined, type Markup, mrkdwn, person } from '../blocks/text.ts';

export const MUTE = 'watch.mute';
export const UNMUTE = 'watch.unmute';

/** To the channel: watches are muted, by whom and until when. */
export function mutedMessage(muted: readonly MutedWatch[], by: string): MessageContent {
  const ends = muted.map(({ number, mute }) => mrkdwn`${which(number, muted)} until ${muteEnd(mute)}`);
  const what = mrkdwn`${person(by)} muted ${joined(ends, ', ')}. You'll get what you missed then.`;
  const [first, ...others] = muted;
  const isOne = first !== undefined && others.length === 0;
  return message(what, [
    section(mrkdwn`🔕 ${what}`),
    ...actions(isOne ? [watchButton('Unmute', UNMUTE, first.watch.id)] : []),
  ]);
}

/** To the channel: watches tell again. */
export function unmutedMessage(unmuted: readonly NumberedWatch[], by: string): MessageContent {
  const names = unmuted.map(({ number }) => which(number, unmuted));
  const what = mrkdwn`${person(by)} unmuted ${joined(names, ', ')}. What was missed comes with the next poll.`;
  return message(what, [section(mrkdwn`🔔 ${what}`)]);
}

/** There was nothing to unmute. */
export function wasNotMuted(): MessageContent {
  const what = mrkdwn`No watch of this channel is muted. Groups are unmuted in their rows, watches here: ${code('/notif watches')}.`;
  return message(what, [section(what)]);
}

function which(number: number, all: readonly unknown[]): Markup {
  return all.length === 1 ? mrkdwn`a watch of this channel (number ${number})` : mrkdwn`watch ${number}`;
}
