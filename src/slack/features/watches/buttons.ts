import type { Button } from '@slack/types';
import { InputError } from '../../../lib/errors.ts';
import type { Watch } from '../../../watches/settings.ts';
import { button, sentence } from '../../kit/blocks.ts';
import { writeValue } from '../../kit/button-value.ts';
import { code, mrkdwn } from '../../kit/text.ts';
import type { Interaction } from '../../router/interaction.ts';

export const EDIT = 'watch.edit';
export const END = 'watch.end';
export const MUTE = 'watch.mute';
export const UNMUTE = 'watch.unmute';

export function editButton({ id }: Watch): Button {
  return button('Edit', EDIT, writeValue([id]));
}

export function endButton({ id }: Watch): Button {
  return {
    ...button('Remove', END, writeValue([id])),
    style: 'danger',
    confirm: {
      title: { type: 'plain_text', text: 'Remove this watch?' },
      text: { type: 'plain_text', text: 'Its alerts stop here. The channel gets a message that you removed it.' },
      confirm: { type: 'plain_text', text: 'Remove' },
      deny: { type: 'plain_text', text: 'Keep' },
    },
  };
}

export const ENDED_BEFORE = sentence(
  mrkdwn`This watch was removed. This channel's watches: ${code('/notif watches')}.`,
);

/** Throws an `InputError` if there is none. */
export function channelOf({ channelId }: Pick<Interaction, 'channelId'>): string {
  if (channelId !== null) return channelId;
  throw new InputError('channel', 'A watch belongs to a channel: ask in one.', '/notif watches');
}
