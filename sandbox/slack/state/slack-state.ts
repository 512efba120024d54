import type { Manifest } from '../manifest.ts';
import { BOT, type SeedChannel, type SeedPerson, type SeedUserGroup } from '../seed.ts';
import type { SocketMode } from '../socket-mode.ts';
import type { WayToBot } from '../way-to-bot.ts';
import type { Changes } from './changes.ts';
import { Conversations } from './conversations.ts';
import { Messages } from './messages.ts';
import { Modals } from './modals.ts';
import { ResponseUrls } from './response-urls.ts';
import { timestamps } from './timestamps.ts';
import { Triggers } from './triggers.ts';

/** Everything that the local Slack knows, and its ways to the bot. */
export interface SlackState {
  readonly manifest: Manifest;
  readonly people: readonly SeedPerson[];
  readonly userGroups: readonly SeedUserGroup[];
  readonly conversations: Conversations;
  readonly messages: Messages;
  readonly modals: Modals;
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  readonly sockets: SocketMode;
  readonly bot: WayToBot;
  readonly changes: Changes;
  readonly nextTs: () => string;
  /** Where this Slack is: http://127.0.0.1:1234 */
  readonly origin: string;
}

export interface StateParts {
  readonly manifest: Manifest;
  readonly people: readonly SeedPerson[];
  readonly channels: readonly SeedChannel[];
  readonly userGroups: readonly SeedUserGroup[];
  readonly sockets: SocketMode;
  readonly bot: WayToBot;
  readonly changes: Changes;
  readonly now: () => number;
  /** Where response_urls point: 'http://127.0.0.1:1234'. */
  readonly origin: string;
}

export function createState({ now, origin, channels, ...parts }: StateParts): SlackState {
  const nextTs = timestamps(now);
  return {
    ...parts,
    nextTs,
    origin,
    conversations: new Conversations(channels, parts.people, BOT.userId),
    messages: new Messages(nextTs, parts.changes),
    modals: new Modals(parts.changes),
    triggers: new Triggers(now),
    responseUrls: new ResponseUrls(now, origin),
  };
}
