import { InputError } from '../../lib/errors.ts';
import type { Channels } from '../../lib/workspace.ts';
import type { MessageContent } from '../kit/blocks.ts';
import { forEveryone } from '../kit/for-everyone.ts';
import { SHARED, shareQuestion } from '../kit/words/shared-channel.ts';
import type { ActionInteraction } from './interaction.ts';
import type { SHARES } from './reply.ts';
import { actionRoute, type Surface } from './route.ts';

/**
 * [Share anyway] confirms what people from another organization can see. Both throw an `InputError` if there is no
 * channel to share to. A second click, while the first is being posted by this process, posts nothing: the first one's
 * message answers it.
 */
export function shareRoutes<Value>(
  ctx: { readonly channels: Pick<Channels, 'sharing'> },
  id: `${typeof SHARES}${string}`,
  read: (value: string) => Value | null,
  shared: (value: Value, interaction: ActionInteraction) => Promise<MessageContent>,
): Surface[] {
  const anyway = `${id}-anyway`;
  const underway = new Set<string>();
  const post = async (value: Value, interaction: ActionInteraction) => {
    const { userId, channelId, threadTs, reply } = interaction;
    if (reply.share === null)
      throw new InputError(
        'share',
        'There is no channel here to share to.',
        null,
        'Ask again in a channel, and share it there.',
      );
    const key = JSON.stringify([userId, channelId, threadTs, interaction.value]);
    if (underway.has(key)) return;
    underway.add(key);
    try {
      await reply.share(forEveryone(await shared(value, interaction), userId));
    } finally {
      underway.delete(key);
    }
  };
  return [
    actionRoute(id, read, async (value, interaction) => {
      const { reply, channelId } = interaction;
      const sharing = reply.share === null || channelId === null ? 'none' : await ctx.channels.sharing(channelId);
      if (sharing === 'none') return post(value, interaction);
      await reply.show(shareQuestion(sharing, { actionId: anyway, value: interaction.value }));
    }),
    actionRoute(anyway, read, async (value, interaction) => {
      await post(value, interaction);
      await interaction.reply.replace(SHARED);
    }),
  ];
}
