import type { Delivery } from '../../domain/alerting/delivery.ts';
import type { Logger } from '../../domain/logger.ts';
import type { WatchEnd } from '../../domain/watches/watch.ts';
import { editMessages } from './edit-messages.ts';
import { postMessages } from './post-messages.ts';

/** A message that somebody has claimed for posting. */
export interface ClaimedMessage {
  readonly id: string;
  readonly kind: Delivery['kind'];
  /** A channel's id, or a person's for a direct message. */
  readonly channel: string;
  /** Of the message in whose thread it belongs; null where it belongs in none. */
  readonly threadTs: string | null;
  /** Counts from 1. It tells this claim from a later one of somebody who took this one's owner for dead. */
  readonly attempt: number;
  readonly claimedAt: Date;
  /** When a post was begun whose outcome nobody wrote down: it may be in the channel already. */
  readonly unresolvedSince: Date | null;
  /** Why a digest could not take over what waits beside it: it stays as it was written, and so do the others. */
  readonly notMerged?: unknown;
}

/** A posted message that somebody has claimed for editing. */
export interface PostedMessage {
  readonly id: string;
  readonly channel: string;
  readonly ts: string;
  /** Of what it showed last. */
  readonly fingerprint: string;
  /** Edits tried since the last one that succeeded, this one included. */
  readonly attempt: number;
  readonly claimedAt: Date;
}

/** What a message shows: `failures` in its rows, and a fingerprint of the whole. */
export interface Shown {
  readonly fingerprint: string;
  readonly failures: number;
}

export interface DeliveryStore {
  /**
   * The oldest message that is to be posted by `now`, marked as begun before this returns; also one whose claimer's lease has run out
   * by the database's clock, which all replicas share. A digest takes over what other digests of its watch and environment announce
   * that wait too. Null when there is none.
   */
  claimMessage(now: Date): Promise<ClaimedMessage | null>;
  /** What a message says as it stands at `now`. */
  content(messageId: string, now: Date): Promise<Delivery>;
  /** It is in its channel, no matter who posted it. */
  notePosted(messageId: string, posted: Shown & { readonly ts: string }, now: Date): Promise<void>;
  /** Slack is known not to have posted it: try again at `retryAt`. Nothing is written for a claim that was overtaken, here and below. */
  noteNotPosted(claimed: ClaimedMessage, reason: string, retryAt: Date): Promise<void>;
  /** Slack takes nothing more in this channel before `until`. */
  noteRateLimited(claimed: ClaimedMessage, until: Date): Promise<void>;
  /** Nobody knows whether Slack posted it: it stays claimed for `forMs` more, by the database's clock, and is then looked for. */
  noteUnresolved(claimed: ClaimedMessage, forMs: number): Promise<void>;
  /** It can't be posted any longer, and isn't tried again. */
  noteGivenUp(claimed: ClaimedMessage, reason: string): Promise<void>;
  /**
   * Its channel takes no messages of Notif. A watch that a person made ends, and its creator is notified, in the same transaction; the
   * configured one is tried again at `retryAt`, and `operators`, by their user ids, are notified once until it works again. They are notified
   * in the place of a person who takes no messages.
   */
  noteShutOut(
    claimed: ClaimedMessage,
    why: WatchEnd,
    trouble: { readonly reason: string; readonly operators: readonly string[]; readonly retryAt: Date },
    now: Date,
  ): Promise<'watch ended' | 'tried again' | 'given up'>;
  /**
   * The posted message that is to be drawn again most urgently, marked as begun: state changes at once, then what has counted on most.
   * Null when there is none, when the edits of this minute are used up, or during a pause.
   */
  claimEdit(now: Date): Promise<PostedMessage | null>;
  noteEdited(message: PostedMessage, shown: Shown): Promise<void>;
  /** An edit failed for now: the message is to be drawn again at `retryAt`. */
  noteNotEdited(message: PostedMessage, retryAt: Date): Promise<void>;
  /** Slack takes no edits before `until`. */
  pauseEdits(until: Date): Promise<void>;
  /** It was deleted: its groups are announced again when they go on. The end of a gap is posted as a new message, once. */
  noteDeleted(message: PostedMessage): Promise<void>;
  /**
   * It is in its channel and can't be edited: its groups count as announced. Where it is the message or the time that Slack refuses, it
   * is never edited again; where it is the channel, one edit is tried there every half hour. The end of a gap, and the outcome of an
   * audited change, are posted as a new message, once.
   */
  noteFrozen(message: PostedMessage, refusal: EditRefusal, now: Date): Promise<void>;
}

export type PostOutcome =
  | { readonly outcome: 'posted'; readonly ts: string; readonly fingerprint: string }
  /** Slack did not post it, and takes nothing more in this channel for a while. */
  | { readonly outcome: 'rate-limited'; readonly retryAfterMs: number }
  /** Slack did not post it, or nothing was sent. `fix` where somebody has to fix the app's setup first. */
  | { readonly outcome: 'not-posted'; readonly reason: string; readonly fix: string | null }
  /** The channel, or the person, takes no messages of Notif. */
  | { readonly outcome: 'shut-out'; readonly reason: string; readonly why: WatchEnd }
  /** The message whose thread it belongs in is gone, or takes no replies. */
  | { readonly outcome: 'no-thread'; readonly reason: string }
  /** The answer was lost. */
  | { readonly outcome: 'unknown' };

export type EditOutcome =
  | { readonly outcome: 'edited' | 'unchanged'; readonly fingerprint: string }
  | { readonly outcome: 'rate-limited'; readonly retryAfterMs: number }
  /** `fix` where somebody has to fix the app's setup first. */
  | { readonly outcome: 'later'; readonly reason: string; readonly fix: string | null }
  /** The message isn't there. */
  | { readonly outcome: 'deleted'; readonly reason: string }
  /** The message is there, and can't be edited. */
  | ({ readonly outcome: 'frozen' } & EditRefusal);

/** Slack's word for why it takes no edit of a message, and whether that is about this message or about all in its channel. */
export interface EditRefusal {
  readonly reason: string;
  readonly scope: 'message' | 'channel';
}

export type HistoryLookup =
  | { readonly found: 'yes'; readonly ts: string }
  | { readonly found: 'no' }
  | { readonly found: 'cannot-read'; readonly reason: string }
  /** Slack is away just now: nothing is sent before it can be asked. `retryAfterMs` where Slack says when. */
  | { readonly found: 'not-now'; readonly reason: string; readonly retryAfterMs: number | null };

export interface DeliveryPublisher {
  post(content: Delivery, options: { readonly possibleRepeat: boolean }): Promise<PostOutcome>;
  edit(content: Delivery, posted: PostedMessage): Promise<EditOutcome>;
  /** Looks for a message in its channel, or in its thread, by the delivery id in its metadata. */
  find(messageId: string, channel: string, since: Date, threadTs: string | null): Promise<HistoryLookup>;
}

export interface DeliveryParts {
  readonly store: DeliveryStore;
  readonly publisher: DeliveryPublisher;
  /** User ids of those who may take care of the configured watch. */
  readonly operators: readonly string[];
  readonly logger: Logger;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

/** How a turn of posting or editing ended: whether nothing is left to do now, and how many messages failed unexpectedly. */
export interface Turn {
  readonly isDone: boolean;
  readonly unexpected: number;
}

/**
 * Posts the messages that wait to be posted and brings the posted ones up to date, by turns, so that neither starves the other. A
 * message that fails unexpectedly is put off, and stops no other; returns how many did. Rejects where the store does.
 */
export async function deliverMessages(parts: DeliveryParts): Promise<number> {
  let unexpected = 0;
  let isDone = false;
  while (!isDone && !parts.signal.aborted) {
    const posts = await postMessages(parts);
    const edits = await editMessages(parts);
    unexpected += posts.unexpected + edits.unexpected;
    isDone = posts.isDone && edits.isDone;
  }
  return unexpected;
}
