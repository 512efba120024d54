import { InputError } from '../../domain/errors.ts';
import type { Gesture } from '../interactions/interaction.ts';

/** The channel that something was asked in. Throws an `InputError` where there is none. */
export function channelOf({ channelId }: Pick<Gesture, 'channelId'>): string {
  if (channelId === null)
    throw new InputError('channel', 'A watch belongs to a channel: ask in one.', '/notif watches');
  return channelId;
}
