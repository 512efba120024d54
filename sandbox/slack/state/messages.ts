import { isJson, stringIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import type { Changes } from './changes.ts';
import type { File } from './files.ts';
import type { SlackState } from './slack-state.ts';

export interface MessageContent {
  readonly text: string;
  readonly blocks: readonly Json[];
  readonly attachments: readonly Json[];
  readonly metadata: Json | null;
}

export interface Message extends MessageContent {
  readonly channel: string;
  readonly ts: string;
  readonly author: string;
  readonly threadTs: string | null;
  /** Whether a reply is in the channel as well. */
  readonly isBroadcast: boolean;
  /** The only person who sees it, if it is ephemeral. */
  readonly onlyVisibleTo: string | null;
  readonly files: readonly File[];
  /** IDs of the people whom it mentioned when it was posted; an edit notifies nobody. */
  readonly mentions: readonly string[];
  /** Whether it is shown as edited, which only a change of its text does. */
  readonly edited: boolean;
  readonly edits: number;
}

type Unposted = Omit<Message, 'ts' | 'mentions' | 'edited' | 'edits'>;
type Omissible = 'threadTs' | 'isBroadcast' | 'onlyVisibleTo' | 'files';
export type Draft = Omit<Unposted, Omissible> & Partial<Pick<Unposted, Omissible>>;

/** Every message of the workspace, including ephemeral ones, oldest first in its channel. */
export class Messages {
  readonly #byChannel = new Map<string, Message[]>();
  readonly #removed = new Set<string>();
  readonly #nextTs: () => string;
  readonly #mentionedBy: (message: Unposted) => readonly string[];
  readonly #changes: Changes;

  constructor(
    parts: { nextTs: () => string; mentionedBy: (message: Unposted) => readonly string[] },
    changes: Changes,
  ) {
    this.#nextTs = parts.nextTs;
    this.#mentionedBy = parts.mentionedBy;
    this.#changes = changes;
  }

  post(draft: Draft): Message {
    const unposted = { threadTs: null, isBroadcast: false, onlyVisibleTo: null, files: [], ...draft };
    const mentions = this.#mentionedBy(unposted);
    const message = { ...unposted, mentions, ts: this.#nextTs(), edited: false, edits: 0 };
    const channel = this.#byChannel.get(message.channel) ?? [];
    channel.push(message);
    this.#byChannel.set(message.channel, channel);
    this.#changes.notify();
    return message;
  }

  in(channel: string): readonly Message[] {
    return this.#byChannel.get(channel) ?? [];
  }

  find(channel: string, ts: string): Message | undefined {
    return this.in(channel).find((message) => message.ts === ts);
  }

  wasRemoved(channel: string, ts: string): boolean {
    return this.#removed.has(placeOf({ channel, ts }));
  }

  edit(message: Message, change: Partial<MessageContent & Pick<Message, 'edited'>>): Message {
    const edited = { ...message, ...change, edits: message.edits + 1 };
    this.#replace(message, [edited]);
    return edited;
  }

  remove(message: Message): void {
    this.#removed.add(placeOf(message));
    this.#replace(message, []);
  }

  #replace(message: Message, replacement: readonly Message[]): void {
    const others = this.in(message.channel).flatMap((each) => (each.ts === message.ts ? replacement : [each]));
    this.#byChannel.set(message.channel, others);
    this.#changes.notify();
  }
}

function placeOf({ channel, ts }: Pick<Message, 'channel' | 'ts'>): string {
  return `${channel} ${ts}`;
}

/** Creates Slack's message timestamps ('1712345678.000200'): the clock's time in seconds, each later than the previous one. */
export function timestamps(now: () => number): () => string {
  let lastMicros = 0;
  return () => {
    lastMicros = Math.max(Math.floor(now()) * 1000, lastMicros + 1);
    return `${Math.floor(lastMicros / 1e6)}.${String(lastMicros % 1e6).padStart(6, '0')}`;
  };
}

/** A mention in a text: `<@U0ANN>`, `<!subteam^S0ONCALL|@oncall>`, `<!here>`. */
const REFERENCE = /<(?:@(?<user>\w+)|!subteam\^(?<group>\w+)|!(?<range>here|channel|everyone))(?:\|[^>]*)?>/g;

type Called = { readonly kind: 'user' | 'group'; readonly id: string } | { readonly kind: 'everybody' };

/**
 * Returns the people whom a new message mentions: the channel's members that it names, individually, by user group or all. Only what is
 * shown counts: with blocks, `text` notifies nobody. An ephemeral message and one's own mention nobody.
 */
export function mentionedBy(
  message: MessageContent & {
    readonly channel: string;
    readonly author: string;
    readonly onlyVisibleTo: string | null;
  },
  { conversations, userGroups }: Pick<SlackState, 'conversations' | 'userGroups'>,
): readonly string[] {
  if (message.onlyVisibleTo !== null) return [];
  const members = conversations.byId(message.channel)?.members ?? [];
  const ids = calledIn(message).flatMap((called) => {
    if (called.kind === 'user') return [called.id];
    return called.kind === 'everybody' ? members : (userGroups.find(({ id }) => id === called.id)?.members ?? []);
  });
  return [...new Set(ids)].filter((id) => id !== message.author && members.includes(id));
}

function calledIn({ text, blocks }: MessageContent): readonly Called[] {
  return blocks.length > 0 ? calledInBlocks(blocks) : calledInText(text);
}

/** Finds mentions in `mrkdwn` and in rich text's own elements; `plain_text` is literal. */
function calledInBlocks(part: unknown): readonly Called[] {
  if (Array.isArray(part)) return part.flatMap(calledInBlocks);
  if (!isJson(part)) return [];
  switch (part.type) {
    case 'mrkdwn':
      return calledInText(stringIn(part, 'text') ?? '');
    case 'user':
      return [{ kind: 'user', id: stringIn(part, 'user_id') ?? '' }];
    default:
      return Object.values(part).flatMap(calledInBlocks);
  }
}

function calledInText(text: string): readonly Called[] {
  return [...text.matchAll(REFERENCE)].map(({ groups: { user, group } = {} }): Called => {
    if (user !== undefined) return { kind: 'user', id: user };
    return group === undefined ? { kind: 'everybody' } : { kind: 'group', id: group };
  });
}
