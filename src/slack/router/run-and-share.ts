import { InputError } from '../../lib/errors.ts';
import type { Channels, Workspace } from '../../lib/workspace.ts';
import { actions, button } from '../kit/blocks.ts';
import { parseRun, RUN, type Run, SHARE_COMMAND } from '../kit/buttons.ts';
import { forEveryone, withNames } from '../kit/for-everyone.ts';
import type { ActionInteraction, CommandInteraction, Handler } from '../kit/interaction.ts';
import { asMessage, type MessageContent } from '../kit/message.ts';
import { mrkdwn } from '../kit/text.ts';
import { actionRoute, type Route, routesFor } from './route.ts';

/** Shares although other organizations may read along. */
const ANYWAY = `${SHARE_COMMAND}-anyway`;
export const SHARED_WARNING = mrkdwn`🤝 *People from other organizations may be able to read what Notif posts here.*`;

export function notifRoutes(
  { channels, workspace }: { channels: Pick<Channels, 'isShared'>; workspace: Pick<Workspace, 'namesOf'> },
  answer: Handler<CommandInteraction>,
): Route[] {
  /** What is being shared: a second click meanwhile shares nothing. */
  const sharing = new Set<string>();

  async function share(run: Run, interaction: ActionInteraction): Promise<void> {
    const { userId, channelId, reply } = interaction;
    if (reply.share === null)
      throw new InputError('share', 'There is no channel here to share to.', null, 'Share it in a channel.');
    const key = `${userId} ${channelId} ${interaction.value}`;
    if (sharing.has(key)) return;
    sharing.add(key);
    const show = async (content: MessageContent) =>
      reply.share?.(await withNames(forEveryone(content, userId), workspace, []));
    await answer({ ...interaction, ...run, reply: { ...reply, show } }).finally(() => sharing.delete(key));
  }

  return routesFor('everyone', [
    { surface: 'command', id: '/notif', answer },
    actionRoute(RUN, parseRun, (run, clicked) => answer({ ...clicked, ...run })),
    actionRoute(SHARE_COMMAND, parseRun, async (run, interaction) => {
      const { reply, channelId, value } = interaction;
      if (reply.share === null || channelId === null || !(await channels.isShared(channelId)))
        return share(run, interaction);
      await reply.show(
        asMessage([SHARED_WARNING, 'Share it anyway?'], actions([button('Share anyway', ANYWAY, value)])),
      );
    }),
    actionRoute(ANYWAY, parseRun, async (run, interaction) => {
      await share(run, interaction);
      await interaction.reply.replace(asMessage('✅ Shared.'));
    }),
  ]);
}
