import { InputError } from '../../lib/errors.ts';
import type { Channels } from '../../lib/workspace.ts';
import type { MessageContent } from '../kit/blocks.ts';
import { forEveryone } from '../kit/for-everyone.ts';
import { SHARED, shareQuestion } from '../kit/words/shared-channel.ts';
import type { ActionInteraction } from './interaction.ts';
import type { SHARES } from './replies/reply.ts';
import { actionRoute, type Surface } from './route.ts';

export interface SharingCtx {
  readonly channels: Pick<Channels, 'sharing'>;
}

const NOBODY_HERE = 'There is no channel here to share to.';

type Shared<Value> = (value: Value, interaction: ActionInteraction) => Promise<MessageContent>;

/**
 * [Share anyway] confirms what people from another organization can see. Both throw an `InputError` if there is no
 * channel to share to. A second click, while the first is being posted by this process, posts nothing: the first one's
 * message answers it.
 */
export function shareRoutes<Value>(
  ctx: SharingCtx,
  id: `${typeof SHARES}${string}`,
  read: (value: string) => Value | null,
  shared: Shared<Value>,
): Surface[] {
  const anyway = `${id}-anyway`;
  const once = onceAtATime();
  const post = async (value: Value, interaction: ActionInteraction) => {
    const { userId, channelId, threadTs } = interaction;
    const { share } = interaction.reply;
    if (share === null) throw new InputError('share', NOBODY_HERE, null, 'Ask again in a channel, and share it there.');
    await once([userId, channelId, threadTs, interaction.value], async () =>
      share(forEveryone(await shared(value, interaction), userId)),
    );
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

/** In this process: while work with the same key is underway, more of it does nothing. Rejects with the work's error. */
export function onceAtATime(): (key: readonly unknown[], work: () => Promise<void>) => Promise<void> {
  const underway = new Set<string>();
  return async (key, work) => {
    const which = JSON.stringify(key);
    if (underway.has(which)) return;
    underway.add(which);
    try {
      await work();
    } finally {
      underway.delete(which);
    }
  };
}
