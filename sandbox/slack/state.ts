import { randomUUID } from 'node:crypto';
import { Refusal } from './arguments.ts';
import { shortId } from './block-kit/controls.ts';
import { SocketMode } from './bot/socket-mode.ts';
import { WayToBot } from './bot/way-to-bot.ts';
import { isJson, stringIn } from './json.ts';
import type { Manifest } from './manifest.ts';
import type { Json } from './page-protocol.ts';
import { BOT, type SeedChannel, type SeedPerson, type SeedUserGroup, standingOf } from './seed.ts';
import { BlockKit } from './validate/block-kit.ts';
import { Views } from './views.ts';

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

export interface File {
  id: string;
  name: string;
  title: string;
  size: number;
}

interface Upload {
  ticket: string;
  name: string;
  length: number;
  content: Buffer | null;
}

export interface ReplyTarget {
  person: string;
  channel: string;
  sourceTs: string | null;
}

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

/** Slack's limits of a `response_url`: half an hour, and five uses. */
const RESPONSE_URL_LIFE_MS = 30 * 60_000;
const RESPONSE_URL_USES = 5;

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
  readonly scopes: Set<string>;
  readonly sockets: SocketMode;
  readonly bot: WayToBot;
  readonly nextTs: () => string;
  readonly onRefusal: (line: string) => void;
  readonly #triggerLifeMs: number;
  readonly #channels = new Map<string, Channel>();
  readonly #messages = new Map<string, readonly Message[]>();
  readonly #removed = new Set<string>();
  readonly #locked = new Set<string>();
  readonly #peopleById: ReadonlyMap<string, SeedPerson>;
  readonly #deactivated = new Set<string>();
  readonly #directRefusals = new Map<string, string>();
  readonly #uploads = new Map<string, Upload>();
  readonly #contents = new Map<string, Buffer>();
  readonly #triggers = new Map<string, { readonly person: string; readonly issuedAt: number; used: boolean }>();
  readonly #responseUrls = new Map<string, { readonly target: ReplyTarget; readonly issuedAt: number; uses: number }>();

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
    this.#triggerLifeMs = options.triggerLifeMs;
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
    this.views.close(personId);
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

  announceFile(name: string, length: number): { id: string; ticket: string } {
    const id = `F${shortId()}`;
    const ticket = randomUUID();
    this.#uploads.set(id, { ticket, name, length, content: null });
    return { id, ticket };
  }

  receiveFile(ticket: string, content: Buffer): void {
    const [id, upload] = [...this.#uploads].find(([, each]) => each.ticket === ticket) ?? [];
    if (id === undefined || upload === undefined) throw new Refusal('invalid_ticket');
    if (content.length !== upload.length) throw new Refusal('invalid_length');
    this.#uploads.set(id, { ...upload, content });
  }

  completeFiles(wanted: readonly { readonly id: string; readonly title: string | undefined }[]): readonly File[] {
    const files = wanted.map(({ id, title }) => {
      const { name = '', content = null } = this.#uploads.get(id) ?? {};
      if (content === null || this.#contents.has(id)) throw new Refusal('file_not_found');
      return { file: { id, name, title: title ?? name, size: content.length }, content };
    });
    for (const { file, content } of files) this.#contents.set(file.id, content);
    return files.map(({ file }) => file);
  }

  contentOf(fileId: string): Buffer | undefined {
    return this.#contents.get(fileId);
  }

  issueTrigger(person: string): string {
    const id = `${this.#triggers.size + 1}.${randomUUID().replaceAll('-', '')}`;
    this.#triggers.set(id, { person, issuedAt: this.now(), used: false });
    return id;
  }

  redeemTrigger(id: string): string {
    const trigger = this.#triggers.get(id);
    if (trigger === undefined) throw new Refusal('invalid_trigger_id');
    if (trigger.used) throw new Refusal('exchanged_trigger_id');
    if (this.now() - trigger.issuedAt > this.#triggerLifeMs) throw new Refusal('expired_trigger_id');
    trigger.used = true;
    return trigger.person;
  }

  issueResponseUrl(target: ReplyTarget): string {
    const id = randomUUID();
    this.#responseUrls.set(id, { target, issuedAt: this.now(), uses: 0 });
    return `${this.origin}/response/${id}`;
  }

  /** Counts one use and returns the target. Refuses an unknown, used up or expired URL: five uses within 30 minutes. */
  useResponseUrl(id: string): ReplyTarget {
    const issued = this.#responseUrls.get(id);
    if (issued === undefined) throw new Refusal('invalid_url');
    if (issued.uses >= RESPONSE_URL_USES) throw new Refusal('used_url');
    if (this.now() - issued.issuedAt > RESPONSE_URL_LIFE_MS) throw new Refusal('expired_url');
    issued.uses += 1;
    return issued.target;
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

const REFERENCE = /<(?:@(\w+)|!subteam\^(\w+)|!(?:here|channel|everyone))(?:\|[^>]*)?>/g;

function mentionedBy({ channel, author, onlyVisibleTo, text, blocks }: Message, slack: SlackState): readonly string[] {
  if (onlyVisibleTo !== null) return [];
  const members = slack.channel(channel)?.members ?? [];
  const texts = blocks.length > 0 ? markupIn(blocks) : [text];
  const ids = texts.flatMap((each) =>
    [...each.matchAll(REFERENCE)].flatMap(([, user, group]) => {
      if (user !== undefined) return [slack.person(user)?.id ?? user];
      return group === undefined ? members : (slack.userGroups.find(({ id }) => id === group)?.members ?? []);
    }),
  );
  return [...new Set(ids)].filter((id) => id !== author && members.includes(id));
}

function markupIn(part: unknown): readonly string[] {
  if (Array.isArray(part)) return part.flatMap(markupIn);
  if (!isJson(part)) return [];
  if (part.type === 'mrkdwn') return [stringIn(part, 'text') ?? ''];
  return part.type === 'user' ? [`<@${part.user_id}>`] : Object.values(part).flatMap(markupIn);
}
