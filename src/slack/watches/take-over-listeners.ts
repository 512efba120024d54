import type { Watch } from '../../domain/watches/watch.ts';
import { parseWatchId, TAKE_OVER } from '../blocks/buttons/watch-buttons.ts';
import type { ActionInteraction } from '../interactions/interaction.ts';
import { type NoticeParts, postInChannel } from '../interactions/post-notice.ts';
import { actionRoute, type Route, routesFor } from '../interactions/route.ts';
import { endedBefore, notOrphaned, takenOverMessage } from './message.ts';

export interface TakeOverParts extends NoticeParts {
  readonly store: {
    watch(watchId: string): Promise<Watch | null>;
    /** Makes a person the creator of a watch whose creator is gone. Returns false if the watch has a creator. */
    takeOver(watchId: string, by: string, now: Date): Promise<boolean>;
  };
  readonly now: () => Date;
}

/** The routes for [Take over]: the first person who clicks gets the watch. */
export function takeOverRoutes(parts: TakeOverParts): Route[] {
  return routesFor('members', [
    actionRoute(TAKE_OVER, parseWatchId, (watchId, interaction) => takeOver(watchId, interaction, parts)),
  ]);
}

async function takeOver(watchId: string, interaction: ActionInteraction, parts: TakeOverParts): Promise<void> {
  const { store, now, logger } = parts;
  const by = interaction.userId;
  const isTaken = await store.takeOver(watchId, by, now());
  const watch = await store.watch(watchId);
  if (watch === null) return interaction.reply.show(endedBefore());
  if (!isTaken) return interaction.reply.show(notOrphaned(watch));
  logger.info({ watchId, channel: watch.channel, by }, 'watch taken over');
  await postInChannel(watch.channel, takenOverMessage(by), interaction, parts);
}
