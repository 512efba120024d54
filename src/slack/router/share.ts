import { InputError } from '../../lib/errors.ts';
import type { Channels, Workspace } from '../../lib/workspace.ts';
import { actions, button } from '../kit/blocks.ts';
import { forEveryone, withNames } from '../kit/for-everyone.ts';
import { type MessageContent, sentence, whatNext } from '../kit/message.ts';
import { mrkdwn } from '../kit/text.ts';
import type { ActionInteraction } from './interaction.ts';
import type { SHARE_PREFIX } from './reply.ts';
import { actionRoute, type Surface } from './route.ts';

/** Confirmed where people from another organization read along. */
export function shareRoutes<Value>(
  { channels, workspace }: { channels: Pick<Channels, 'isShared'>; workspace: Pick<Workspace, 'namesOf'> },
  id: `${typeof SHARE_PREFIX}${string}`,
  read: (value: string) => Value | null,
  shared: (value: Value, interaction: ActionInteraction) => Promise<MessageContent>,
): Surface[] {
  const anyway = `${id}-anyway`;
  /** Two clicks at the same time share once. */
  const underway = new Set<string>();
  const post = async (value: Value, interaction: ActionInteraction) => {
    const { userId, channelId, reply } = interaction;
    if (reply.share === null)
      throw new InputError('share', 'There is no channel here to share to.', null, 'Share it in a channel.');
    const key = `${userId} ${channelId} ${interaction.value}`;
    if (underway.has(key)) return;
    underway.add(key);
    const work = async () => withNames(forEveryone(await shared(value, interaction), userId), workspace, userId);
    await work()
      .then(reply.share)
      .finally(() => underway.delete(key));
  };
  return [
    actionRoute(id, read, async (value, interaction) => {
      const { reply, channelId } = interaction;
      if (reply.share === null || channelId === null || !(await channels.isShared(channelId)))
        return post(value, interaction);
      const confirm = actions([button('Share anyway', anyway, interaction.value)]);
      await reply.show(whatNext(SHARED_WARNING, mrkdwn`Share it anyway?`, confirm));
    }),
    actionRoute(anyway, read, async (value, interaction) => {
      await post(value, interaction);
      await interaction.reply.replace(SHARED);
    }),
  ];
}

export const SHARED_WARNING = mrkdwn`🤝 *People from other organizations may be able to read what Notif posts here.*`;

const SHARED = sentence(mrkdwn`✅ Shared.`);
