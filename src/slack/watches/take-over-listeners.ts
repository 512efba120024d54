import type { Watch } from '../../domain/watches/watch.ts';
import { readWatchId, TAKE_OVER } from '../blocks/buttons/watch-buttons.ts';
import type { ActionGesture } from '../interactions/interaction.ts';
import { actionDoor, type Door, doorsFor } from '../interactions/route.ts';
import { endedBefore, notOrphaned, takenOverMessage } from './message.ts';
import { type TellingParts, tell } from './post-notice.ts';

export interface TakeOverParts extends TellingParts {
  readonly store: {
    watch(watchId: string): Promise<Watch | null>;
    /** Makes a watch whose creator is gone somebody else's. False where it is not, or not any more. */
    takeOver(watchId: string, by: string, now: Date): Promise<boolean>;
  };
  readonly now: () => Date;
}

/** [Take over]: the first who clicks has the watch. */
export function takeOverDoors(parts: TakeOverParts): Door[] {
  return doorsFor('members', [
    actionDoor(TAKE_OVER, readWatchId, (watchId, gesture) => takeOver(watchId, gesture, parts)),
  ]);
}

async function takeOver(watchId: string, gesture: ActionGesture, parts: TakeOverParts): Promise<void> {
  const { store, now, logger } = parts;
  const by = gesture.userId;
  const isTaken = await store.takeOver(watchId, by, now());
  const watch = await store.watch(watchId);
  if (watch === null) return gesture.reply.show(endedBefore());
  if (!isTaken) return gesture.reply.show(notOrphaned(watch));
  logger.info({ watchId, channel: watch.channel, by }, 'watch taken over');
  await tell(watch.channel, takenOverMessage(by), gesture, parts);
}
