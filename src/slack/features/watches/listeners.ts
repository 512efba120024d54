import type { Flow } from '../../router/command.ts';
import { createRoutes, watchCommand } from './create.ts';
import { editRoutes } from './edit.ts';
import { listRoutes, unwatchCommand, watchesCommand } from './list.ts';
import { type MuteCtx, muteCommand, muteRoutes, unmuteCommand } from './mute.ts';

export function watchesFlow(ctx: MuteCtx): Flow {
  return {
    commands: [watchCommand(ctx), watchesCommand(ctx), unwatchCommand(ctx), muteCommand(ctx), unmuteCommand(ctx)],
    routes: [...createRoutes(ctx), ...listRoutes(ctx), ...muteRoutes(ctx), ...editRoutes(ctx)],
  };
}
