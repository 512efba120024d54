import { Events, eventBody } from '../events.ts';
import type { Manifest } from '../manifest.ts';
import { BOT, type SeedChannel, type SeedPerson, type SeedUserGroup } from '../seed.ts';
import type { SocketMode } from '../socket-mode.ts';
import { BlockKit } from '../validate/block-kit.ts';
import type { WayToBot } from '../way-to-bot.ts';
import type { Changes } from './changes.ts';
import { Conversations } from './conversations.ts';
import { Files } from './files.ts';
import { ResponseUrls, Triggers } from './issued.ts';
import { Messages, mentionedBy, timestamps } from './messages.ts';
import { Grants, People } from './people.ts';
import { Homes, Modals } from './views.ts';

export interface SlackState {
  readonly manifest: Manifest;
  /** Whether the workspace belongs to an organization of several (Enterprise Grid). */
  readonly isInEnterprise: boolean;
  readonly grants: Grants;
  readonly people: People;
  readonly userGroups: readonly SeedUserGroup[];
  readonly conversations: Conversations;
  readonly messages: Messages;
  readonly files: Files;
  readonly modals: Modals;
  readonly homes: Homes;
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  readonly sockets: SocketMode;
  readonly bot: WayToBot;
  readonly events: Events;
  readonly changes: Changes;
  readonly blockKit: BlockKit;
  readonly nextTs: () => string;
  /** Milliseconds. */
  readonly now: () => number;
  /** The origin of this Slack: http://127.0.0.1:1234 */
  readonly origin: string;
}

export interface StateParts {
  readonly manifest: Manifest;
  readonly isInEnterprise: boolean;
  readonly people: readonly SeedPerson[];
  readonly channels: readonly SeedChannel[];
  readonly userGroups: readonly SeedUserGroup[];
  readonly sockets: SocketMode;
  readonly bot: WayToBot;
  readonly changes: Changes;
  readonly now: () => number;
  readonly triggerLifeMs: number;
  readonly origin: string;
}

export function createState({ people: seeded, channels, ...parts }: StateParts): SlackState {
  const { now, origin, changes, userGroups, manifest, bot } = parts;
  const nextTs = timestamps(now);
  const people = new People(seeded, changes);
  const grants = new Grants(manifest.oauth_config.scopes.bot);
  const conversations = new Conversations({ channels, people: seeded, botUserId: BOT.userId }, changes);
  const messages = new Messages(
    { nextTs, mentionedBy: (message) => mentionedBy(message, { conversations, userGroups }) },
    changes,
  );
  return {
    ...parts,
    nextTs,
    conversations,
    grants,
    people,
    blockKit: new BlockKit(),
    messages,
    files: new Files(),
    modals: new Modals(changes),
    homes: new Homes(changes),
    events: new Events({
      subscriptions: manifest.settings.event_subscriptions.bot_events,
      ...{ grants, bot, now },
      wrap: (event) => eventBody(event, { conversations, people, now, isInEnterprise: parts.isInEnterprise }),
    }),
    triggers: new Triggers(now, parts.triggerLifeMs),
    responseUrls: new ResponseUrls(now, origin),
  };
}
