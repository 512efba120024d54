import { z } from 'zod';
import type { ChannelRefusal } from '../lib/refusals.ts';
import type { Db } from '../store/db.ts';
import type { Said } from './messages.ts';
import type { MessageRow } from './tables.ts';

/** What Slack says of a post. */
export type PostOutcome =
  | { is: 'posted'; ts: string; shownHash: string }
  | Refused
  | { is: 'shut-out'; reason: string; why: ChannelRefusal }
  | { is: 'no-thread' | 'not-accepted' | 'unreachable'; reason: string }
  /** Its answer was lost, or is an error of the server: it may have been posted. */
  | { is: 'unanswered' };

/** Who caused a direct message, and where: if it doesn't arrive, it is said there. */
export const Initiator = z.object({ person: z.string(), channel: z.string().nullable() });
export type Initiator = z.output<typeof Initiator>;

/** A direct message that Slack refuses. `code` says why. */
export interface Unreached {
  initiator: Initiator;
  recipient: string;
  code: string;
}

/** Slack refuses it for now. */
export interface Refused {
  is: 'refused';
  reason: string;
  /** Null: Slack doesn't say when. */
  retryAfterMs: number | null;
  /** What an operator has to do; null: nothing. */
  fix: string | null;
}

export type EditOutcome =
  | { is: 'edited' | 'unchanged'; shownHash: string }
  | Refused
  | { is: 'deleted' | 'not-accepted'; reason: string };

/** What came of looking for a message. */
export type Search =
  | { found: 'yes'; ts: string }
  | { found: 'no' }
  | { found: 'not-now'; reason: string; retryAfterMs: number | null };

/** Where messages stand: a channel or a person, or a thread there. */
export interface Place {
  channel: string;
  threadTs: string | null;
}

/** A message of this store that stands in Slack. */
export interface Sent {
  id: string;
  channel: string;
  ts: string;
  postedAt: Date;
  /** The `knownBy` of its draft. */
  knownBy: string;
}

/** How a message is posted. */
export interface Posting {
  threadTs: string | null;
  /** An answer was lost: it may have been posted before. */
  mayRepeat: boolean;
  /** Without blocks, which Slack refused. */
  isPlain: boolean;
  /** What it tells (`Draft`). */
  knownBy: string;
}

/** A message in Slack that is edited. */
export interface Edited {
  channel: string;
  ts: string;
  /** The hash of what it shows; null: not known. */
  shownHash: string | null;
  isPlain: boolean;
}

/** What posts and edits in Slack. */
export interface Publisher<Content> {
  post(content: Content, posting: Posting): Promise<PostOutcome>;
  edit(content: Content, edited: Edited): Promise<EditOutcome>;
  /** Shows a direct message that didn't arrive to who caused it: where they did, else directly. */
  tellInitiator(content: Content, unreached: Unreached): Promise<PostOutcome>;
  /** The messages of this store in a place; null: it can't be read now. */
  sentSince(place: Place, since: Date): Promise<readonly Sent[] | null>;
  find(message: Place & { id: string }, since: Date): Promise<Search>;
}

/** A message as it would be posted now. */
export type Draft<Content> =
  | {
      is: 'drawn';
      content: Content;
      said: readonly Said[];
      /**
       * Identifies what it tells: messages that tell the same have the same. It's posted as metadata, so that a message is known again whose post the store
       * lost.
       */
      knownBy: string;
      /** What it shows changes by time alone: when to draw it again. */
      nextAt: Date | null;
      /** It is drawn for the last time. */
      isLast?: boolean;
    }
  | { is: 'held'; until: Date }
  | { is: 'moved'; channel: string }
  /** What it's drawn from can't be read: it waits for somebody to put that right. */
  | { is: 'unreadable' }
  /** It isn't so any more, or what it was about is no longer kept. */
  | { is: 'untrue'; why: string };

/** Owns a kind of message: what it shows, whether it's still so, and what its outcome means. */
export interface MessageKind<Content> {
  /** The `content` of its messages. */
  Kept: z.ZodType;
  /** Its messages are tried for as long as it takes. */
  mustArrive: boolean;
  draw(db: Db, message: MessageRow, at: Date): Promise<Draft<Content>>;
  /** It says what was so when it was posted: found after a lost answer, it isn't drawn again. */
  isFinal?(message: MessageRow): boolean;
  /** In the transaction of the outcome of a post, or of an edit. */
  told?(tx: Db, message: MessageRow, told: { said: readonly Said[]; at: Date; isPost: boolean }): Promise<void>;
  /** When a message was given up, or found untrue. */
  dropped?(tx: Db, message: MessageRow, reason: string, now: Date): Promise<void>;
  /** Somebody deleted it in Slack. */
  deleted?(tx: Db, message: MessageRow, now: Date): Promise<void>;
  /** Writes a message that stands in Slack back to the store, which lost that it was posted. Returns false if what it told isn't recorded. */
  adopt?(tx: Db, sent: Sent, now: Date): Promise<boolean>;
  /** Slack refuses it to its recipient for good. */
  unreached?(tx: Db, message: MessageRow, refusal: NotReached, now: Date): Promise<void>;
  /** Its channel refuses all messages: says whether to go on trying. */
  shutOut?(tx: Db, message: MessageRow, refusal: ShutOut, now: Date): Promise<'retry' | 'give-up'>;
}

/** A direct message that can't arrive. */
interface NotReached {
  code: string;
  /** Who caused it knows. */
  isTold: boolean;
  operators: readonly string[];
}

/** Why a channel refuses all messages. */
export interface ShutOut {
  why: ChannelRefusal;
  reason: string;
  /** Slack says so, too, when it is asked about the channel. */
  isConfirmed: boolean;
  operators: readonly string[];
}

export type Kinds<Content> = Readonly<Record<string, MessageKind<Content>>>;
