import { Refusal } from './arguments.ts';
import { SocketMode } from './bot/socket-mode.ts';
import { WayToBot } from './bot/way-to-bot.ts';
import type { Manifest } from './manifest.ts';
import { mentionedBy } from './mentions.ts';
import type { Json } from './page-protocol.ts';
import { ResponseUrls } from './response-urls.ts';
import { BOT, type SeedChannel, type SeedPerson, type SeedUserGroup, standingOf } from './seed.ts';
import { Triggers } from './triggers.ts';
import { type File, Uploads } from './uploads.ts';
import { BlockKit } from './validate/block-kit.ts';
import { Views } from './views.ts';

/** Tells the page and waiting tests that something has changed, not what. */
export class Changes {
  readonly #listeners = new Set<() => void>();

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

export type Channel = Required<SeedChannel> & { isArchived: boolean };

export interface MessageContent {
  text: string;
  blocks: readonly Json[];
  metadata: Json | null;
}

export interface Message extends MessageContent {
  channel: string;
  ts: string;
  author: string;
  threadTs: string | null;
  isBroadcast: boolean;
  onlyVisibleTo: string | null;
  files: readonly File[];
  /** IDs of the people whom it mentioned when it was posted; an edit notifies nobody. */
  mentions: readonly string[];
  edited: boolean;
}

export type Draft = Pick<Message, 'channel' | 'author'> & Partial<Message>;

export interface StateOptions {
  manifest: Manifest;
  people: readonly SeedPerson[];
  channels: readonly SeedChannel[];
  userGroups: readonly SeedUserGroup[];
  isInEnterprise: boolean;
  now: () => number;
  origin: string;
  ackTimeoutMs: number;
  triggerLifeMs: number;
  /** Gets a line for each call of the bot that is refused, other than by a fault. */
  onRefusal: (line: string) => void;
}

/** The workspace: its people, channels and messages, and the parts of Slack that keep something of their own. */
export class SlackState {
  readonly manifest: Manifest;
  readonly people: readonly SeedPerson[];
  userGroups: readonly SeedUserGroup[];
  readonly isInEnterprise: boolean;
  readonly now: () => number;
  readonly origin: string;
  readonly changes = new Changes();
  readonly blockKit = new BlockKit();
  readonly views = new Views(this.changes);
  readonly uploads = new Uploads();
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  readonly scopes: Set<string>;
  readonly sockets: SocketMode;
  readonly bot: WayToBot;
  readonly nextTs: () => string;
  readonly onRefusal: (line: string) => void;
  readonly #channels = new Map<string, Channel>();
  readonly #messages = new Map<string, readonly Message[]>();
  /** Of messages: 'C0ONCALL 1712345678.000200'. */
  readonly #removed = new Set<string>();
  readonly #locked = new Set<string>();
  /** A person of an organization is known by two IDs. */
  readonly #peopleById: ReadonlyMap<string, SeedPerson>;
  readonly #deactivated = new Set<string>();
  /** The error that refuses direct messages, by person. */
  readonly #directRefusals = new Map<string, string>();

  constructor(options: StateOptions) {
    const { manifest, people, now, ackTimeoutMs } = options;
    this.manifest = manifest;
    this.people = people;
    this.#peopleById = new Map(
      people.flatMap((person) => [person.id, person.enterpriseUserId ?? person.id].map((id) => [id, person])),
    );
    this.userGroups = options.userGroups;
    this.isInEnterprise = options.isInEnterprise;
    this.now = now;
    this.origin = options.origin;
    this.onRefusal = options.onRefusal;
    this.nextTs = timestamps(now);
    this.triggers = new Triggers(now, options.triggerLifeMs);
    this.responseUrls = new ResponseUrls(now, options.origin);
    this.scopes = new Set(manifest.oauth_config.scopes.bot);
    this.sockets = new SocketMode(this.changes, ackTimeoutMs);
    this.bot = new WayToBot(this.sockets);
    for (const channel of options.channels) this.putChannel(channel);
    for (const { id } of people)
      this.putChannel({ id: directIdOf(id), name: 'directmessage', kind: 'direct', members: [id, BOT.userId] });
  }

  get channels(): readonly Channel[] {
    return [...this.#channels.values()];
  }

  channel(id: string): Channel | undefined {
    return this.#channels.get(id);
  }

  /** Also takes a person's ID for the direct message with them, as Slack's `chat.*` do. */
  channelOrDirect(id: string): Channel | undefined {
    const person = this.person(id);
    return this.channel(person === undefined ? id : directIdOf(person.id));
  }

  channelNamed(name: string): Channel | undefined {
    return this.channels.find((channel) => channel.kind !== 'direct' && channel.name === name);
  }

  channelsOf(personId: string): readonly Channel[] {
    return this.channels.filter(({ members }) => members.includes(personId));
  }

  putChannel(channel: SeedChannel & Partial<Channel>): void {
    this.#channels.set(channel.id, { kind: 'public', isPendingShared: false, isArchived: false, ...channel });
    this.changes.notify();
  }

  admit(channel: Channel, member: string): void {
    this.putChannel({ ...channel, members: [...new Set([...channel.members, member])] });
  }

  expel(channel: Channel, member: string): void {
    this.putChannel({ ...channel, members: channel.members.filter((each) => each !== member) });
  }

  deleteChannel(id: string): void {
    this.#channels.delete(id);
    this.changes.notify();
  }

  /** As Slack does to a private channel that is shared with another organization: only its new ID is known then. */
  changeChannelId(from: string, to: string): void {
    const channel = this.#channels.get(from);
    if (channel === undefined) throw new Error(`there is no channel ${from} in this workspace`);
    const messages = this.messagesIn(from).map((message) => ({ ...message, channel: to }));
    this.#channels.delete(from);
    this.#messages.delete(from);
    this.#channels.set(to, { ...channel, id: to });
    this.#setMessages(to, messages);
  }

  person(id: string): SeedPerson | undefined {
    return this.#peopleById.get(id);
  }

  personNamed(name: string): SeedPerson | undefined {
    return this.people.find((person) => person.name === name);
  }

  isActive(personId: string): boolean {
    return !this.#deactivated.has(personId);
  }

  /** Deactivates an account as an administrator does: it leaves its channels, and its direct message with the bot is closed. */
  deactivate(personId: string): void {
    this.#deactivated.add(personId);
    this.views.closeAll(personId);
    for (const channel of this.channelsOf(personId)) {
      if (channel.kind === 'direct') this.putChannel({ ...channel, isArchived: true });
      else this.expel(channel, personId);
    }
  }

  /** From now on the bot's messages to these people, or to everybody, are refused with the error; null ends it. */
  refuseDirectMessages(error: string | null, personIds: readonly string[]): void {
    for (const id of personIds.length > 0 ? personIds : this.people.map(({ id }) => id)) {
      if (error === null) this.#directRefusals.delete(id);
      else this.#directRefusals.set(id, error);
    }
  }

  /** Throws the error by which direct messages to a member are refused. */
  checkDirectMessages({ kind, members }: Channel): void {
    const [error] = members.flatMap((id) => this.#directRefusals.get(id) ?? []);
    if (kind === 'direct' && error !== undefined) throw new Refusal(error);
  }

  isShared({ kind, members }: Channel): boolean {
    const strangers = this.people.filter((person) => standingOf(person) === 'other organization');
    return kind !== 'direct' && strangers.some(({ id }) => members.includes(id));
  }

  messagesIn(channel: string): readonly Message[] {
    return this.#messages.get(channel) ?? [];
  }

  message(channel: string, ts: string): Message | undefined {
    return this.messagesIn(channel).find((message) => message.ts === ts);
  }

  wasRemoved(channel: string, ts: string): boolean {
    return this.#removed.has(`${channel} ${ts}`);
  }

  lockThread({ channel, ts }: Pick<Message, 'channel' | 'ts'>): void {
    this.#locked.add(`${channel} ${ts}`);
  }

  isLocked({ channel, ts }: Pick<Message, 'channel' | 'ts'>): boolean {
    return this.#locked.has(`${channel} ${ts}`);
  }

  post(draft: Draft): Message {
    const unposted = {
      text: '',
      blocks: [],
      metadata: null,
      threadTs: null,
      isBroadcast: false,
      onlyVisibleTo: null,
      files: [],
      ...draft,
      ts: this.nextTs(),
      mentions: [],
      edited: false,
    };
    const message = { ...unposted, mentions: mentionedBy(unposted, this) };
    this.#setMessages(message.channel, [...this.messagesIn(message.channel), message]);
    return message;
  }

  edit(message: Message, change: Partial<MessageContent & Pick<Message, 'edited'>>): Message {
    const edited = { ...message, ...change };
    const { channel, ts } = message;
    const messages = this.messagesIn(channel).map((each) => (each.ts === ts ? edited : each));
    this.#setMessages(channel, messages);
    return edited;
  }

  remove({ channel, ts }: Pick<Message, 'channel' | 'ts'>): void {
    this.#removed.add(`${channel} ${ts}`);
    const messages = this.messagesIn(channel).filter((each) => each.ts !== ts);
    this.#setMessages(channel, messages);
  }

  #setMessages(channel: string, messages: readonly Message[]): void {
    this.#messages.set(channel, messages);
    this.changes.notify();
  }
}

const directIdOf = (personId: string): string => `D${personId.slice(1)}`;

/** Creates Slack's message timestamps ('1712345678.000200'): the clock's time in seconds, each later than the previous one. */
function timestamps(now: () => number): () => string {
  let lastMicros = 0;
  return () => {
    lastMicros = Math.max(Math.floor(now()) * 1000, lastMicros + 1);
    return `${Math.floor(lastMicros / 1e6)}.${String(lastMicros % 1e6).padStart(6, '0')}`;
  };
}
