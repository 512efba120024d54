import type { Command } from '../interactions/command.ts';
import type { Route } from '../interactions/route.ts';
import { type EditParts, editRoutes } from './edit-listeners.ts';
import { type ListParts, listRoutes, unwatchCommand, watchesCommand } from './list-listeners.ts';
import { type MakeParts, makeRoutes, watchCommand } from './make-listeners.ts';
import { type MuteNamed, type MuteParts, muteCommand, muteRoutes, unmuteCommand } from './mute-listeners.ts';
import { type TakeOverParts, takeOverRoutes } from './take-over-listeners.ts';

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
export function watchesRoutes(parts: WatchesParts): Route[] {
  return [
    ...makeRoutes(parts),
    ...listRoutes(parts),
    ...muteRoutes(parts),
    ...editRoutes(parts),
    ...takeOverRoutes(parts),
  ];
}
