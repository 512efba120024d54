import { InputError } from '../../lib/errors.ts';
import type { Channels, Workspace } from '../../lib/workspace.ts';
import { actions, button } from '../kit/blocks.ts';
import { parseRun, SHARE_COMMAND } from '../kit/buttons.ts';
import { forEveryone, withNames } from '../kit/for-everyone.ts';
import { type MessageContent, sentence, whatNext } from '../kit/message.ts';
import { mrkdwn } from '../kit/text.ts';
import type { ActionInteraction } from './interaction.ts';
import { actionRoute, type Surface } from './route.ts';

const ANYWAY = `${SHARE_COMMAND}-anyway`;

type Run = NonNullable<ReturnType<typeof parseRun>>;

export function shareRoutes(
  { channels, workspace }: { channels: Pick<Channels, 'isShared'>; workspace: Pick<Workspace, 'namesOf'> },
  shared: (run: Run, interaction: ActionInteraction) => Promise<MessageContent>,
): Surface[] {
  // Two clicks at the same time share once.
  const underway = new Set<string>();
  const post = async (run: Run, interaction: ActionInteraction) => {
    const { userId, channelId, reply } = interaction;
    if (reply.share === null)
      throw new InputError('share', 'There is no channel here to share to.', null, 'Share it in a channel.');
    const key = `${userId} ${channelId} ${interaction.value}`;
    if (underway.has(key)) return;
    underway.add(key);
    const work = async () => withNames(forEveryone(await shared(run, interaction), userId), workspace, null);
    await work()
      .then(reply.share)
      .finally(() => underway.delete(key));
  };
  return [
    actionRoute(SHARE_COMMAND, parseRun, async (run, interaction) => {
      const { reply, channelId } = interaction;
      if (reply.share === null || channelId === null || !(await channels.isShared(channelId)))
        return post(run, interaction);
      const confirm = actions([button('Share anyway', ANYWAY, interaction.value)]);
      await reply.show(whatNext(SHARED_WARNING, 'Share it anyway?', confirm));
    }),
    actionRoute(ANYWAY, parseRun, async (run, interaction) => {
      await post(run, interaction);
      await interaction.reply.replace(sentence(mrkdwn`✅ Shared.`));
    }),
  ];
}

export const SHARED_WARNING = mrkdwn`🤝 *People from other organizations may be able to read what Notif posts here.*`;
