import type { Sharing } from '../../domain/access/shared-channel.ts';
import { InputError } from '../../domain/errors.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { SHARED, shareQuestion } from '../blocks/words/shared-channel.ts';
import type { ActionGesture } from './interaction.ts';
import { actionDoor, type Surface } from './route.ts';

export interface SharingParts {
  readonly channels: {
    /** Whether people of another organization can read a conversation. Never rejects. */
    sharing(channel: string): Promise<Sharing>;
  };
}

/** What a share button shares, and whose it is. */
type Shared<Value> = (value: Value, gesture: ActionGesture) => Promise<MessageContent>;

/**
 * The doors of a [Share] button, and of [Share anyway], which is asked for first where people of another organization may read it.
 * Both throw an `InputError` where there's no channel to share to.
 */
export function shareDoors<Value>(
  id: string,
  read: (value: string) => Value | null,
  shared: Shared<Value>,
  parts: SharingParts,
): Surface[] {
  const anyway = `${id}-anyway`;
  const post = async (value: Value, gesture: ActionGesture) => {
    if (gesture.reply.share === null) throw new InputError('share', 'There is no channel here to share to.');
    await gesture.reply.share(await shared(value, gesture));
  };
  return [
    actionDoor(id, read, async (value, gesture) => {
      const { reply, channelId } = gesture;
      const sharing = reply.share === null || channelId === null ? 'none' : await parts.channels.sharing(channelId);
      if (sharing === 'none') return post(value, gesture);
      await reply.show(shareQuestion(sharing, { actionId: anyway, value: gesture.value }));
    }),
    actionDoor(anyway, read, async (value, gesture) => {
      await post(value, gesture);
      await gesture.reply.replace(SHARED);
    }),
  ];
}
