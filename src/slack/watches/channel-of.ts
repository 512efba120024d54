import { InputError } from '../../domain/errors.ts';
import type { Interaction } from '../interactions/interaction.ts';

/** Throws an `InputError` if there is none. */
export function channelOf({ channelId }: Pick<Interaction, 'channelId'>): string {
  if (channelId === null)
    throw new InputError('channel', 'A watch belongs to a channel: ask in one.', '/notif watches');
  return channelId;
}
