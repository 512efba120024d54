import type { Flow } from '../interactions/command.ts';
import { type EditParts, editRoutes } from './edit-listeners.ts';
import { type ListParts, listRoutes, unwatchCommand, watchesCommand } from './list-listeners.ts';
import { type MakeParts, makeRoutes, watchCommand } from './make-listeners.ts';
import {
  type MuteNamed,
  type MuteParts,
  muteCommand,
  muteRoutes,
  type UnmuteNamed,
  unmuteCommand,
} from './mute-listeners.ts';
import { previewRoutes } from './preview-listeners.ts';

export type WatchesParts = MakeParts &
  ListParts &
  MuteParts &
  EditParts & { readonly muteNamed: MuteNamed; readonly unmuteNamed: UnmuteNamed };

export function watchesFlow(parts: WatchesParts): Flow {
  return {
    commands: [
      watchCommand(parts),
      watchesCommand(parts),
      unwatchCommand(parts),
      muteCommand(parts, parts.muteNamed),
      unmuteCommand(parts, parts.unmuteNamed),
    ],
    routes: [
      ...makeRoutes(parts),
      ...listRoutes(parts),
      ...muteRoutes(parts),
      ...editRoutes(parts),
      ...previewRoutes(parts),
    ],
  };
}
