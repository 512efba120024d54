import type { Command } from './command.ts';
import type { Route } from './route.ts';

/** What a flow handles: commands of `/notif` in the order of help, and the routes for everything else that Slack sends. */
export interface Flow {
  readonly commands: readonly Command[];
  readonly routes: readonly Route[];
}
