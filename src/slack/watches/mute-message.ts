import type { Watch } from '../../domain/watches/watch.ts';
import type { MutedWatch } from '../../use-cases/watches/mute-watches.ts';
import { actions, type MessageContent, message, section, sentence } from '../blocks/blocks.ts';
import { watchButton } from '../blocks/buttons/watch-buttons.ts';
import { code, mrkdwn, person } from '../blocks/text.ts';
import { mutedWatches, watchNumbers } from '../blocks/words/muted-watches.ts';

export const MUTE = 'watch.mute';
export const UNMUTE = 'watch.unmute';

export function mutedMessage(muted: readonly MutedWatch[], by: string): MessageContent {
  const what = mrkdwn`${person(by)} muted ${mutedWatches(muted)}. You'll get what you missed then.`;
  const [first, ...others] = muted;
  const isOne = first !== undefined && others.length === 0;
  return message(what, [
    section(mrkdwn`🔕 ${what}`),
    ...actions(isOne ? [watchButton('Unmute', UNMUTE, first.watch.id)] : []),
  ]);
}

/** For a person who mutes watches again until the same time. */
export function mutedAlready(muted: readonly MutedWatch[]): MessageContent {
  return sentence(mrkdwn`🔕 You already muted ${mutedWatches(muted)}.`);
}

export function unmutedMessage(unmuted: readonly Watch[], by: string): MessageContent {
  const what = mrkdwn`${person(by)} unmuted ${watchNumbers(unmuted)}. Missed alerts arrive with the next poll.`;
  return message(what, [section(mrkdwn`🔔 ${what}`)]);
}

/** `number`: the watch that was meant; null for all of the channel. */
export function wasNotMuted(number: number | null): MessageContent {
  const what = number === null ? mrkdwn`No watch of this channel is muted.` : mrkdwn`Watch ${number} isn't muted.`;
  return sentence(mrkdwn`${what} Incidents are unmuted in their rows, watches here: ${code('/notif watches')}.`);
}
