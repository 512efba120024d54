import type { Command } from '../interactions/command.ts';
import type { Door } from '../interactions/route.ts';
import { type EditParts, editDoors } from './edit-listeners.ts';
import { type ListParts, listDoors, unwatchCommand, watchesCommand } from './list-listeners.ts';
import { type MakeParts, makeDoors, watchCommand } from './make-listeners.ts';
import { type MuteNamed, type MuteParts, muteCommand, muteDoors, unmuteCommand } from './mute-listeners.ts';
import { type TakeOverParts, takeOverDoors } from './take-over-listeners.ts';

export type WatchesParts = MakeParts & ListParts & MuteParts & EditParts & TakeOverParts;

/** The commands about a channel's watches. */
export function watchesCommands(parts: WatchesParts, muteNamed: MuteNamed): Command[] {
  return [
    watchCommand(parts),
    watchesCommand(parts),
    unwatchCommand(parts),
    muteCommand(parts, muteNamed),
    unmuteCommand(parts),
  ];
}

/** The buttons and forms about watches. */
export function watchesDoors(parts: WatchesParts): Door[] {
  return [...makeDoors(parts), ...listDoors(parts), ...muteDoors(parts), ...editDoors(parts), ...takeOverDoors(parts)];
}
