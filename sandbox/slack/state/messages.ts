import type { Json } from '../page-protocol.ts';
import type { Changes } from './changes.ts';

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
  readonly replyBroadcast: boolean;
  /** The one person who sees it, when it is ephemeral. */
  readonly onlyVisibleTo: string | null;
  readonly edited: boolean;
}

export type Draft = Omit<Message, 'ts' | 'edited' | 'threadTs' | 'replyBroadcast' | 'onlyVisibleTo'> &
  Partial<Pick<Message, 'threadTs' | 'replyBroadcast' | 'onlyVisibleTo'>>;

/** Every message of the workspace, ephemeral ones included, oldest first in its channel. */
export class Messages {
  readonly #byChannel = new Map<string, Message[]>();
  readonly #nextTs: () => string;
  readonly #changes: Changes;

  constructor(nextTs: () => string, changes: Changes) {
    this.#nextTs = nextTs;
    this.#changes = changes;
  }

  post(draft: Draft): Message {
    const defaults = { threadTs: null, replyBroadcast: false, onlyVisibleTo: null };
    const message = { ...defaults, ...draft, ts: this.#nextTs(), edited: false };
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

  edit(message: Message, change: Partial<MessageContent & Pick<Message, 'edited'>>): Message {
    const edited = { ...message, ...change };
    this.#replace(message, [edited]);
    return edited;
  }

  remove(message: Message): void {
    this.#replace(message, []);
  }

  #replace(message: Message, replacement: readonly Message[]): void {
    const others = this.in(message.channel).flatMap((each) => (each.ts === message.ts ? replacement : [each]));
    this.#byChannel.set(message.channel, others);
    this.#changes.notify();
  }
}
