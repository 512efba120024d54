import type { Delivery } from '../../domain/alerting/delivery.ts';
import type { Logger } from '../../domain/logger.ts';
import type { WatchEnd } from '../../domain/watches/watch.ts';
import { editOrPutOff } from './edit-messages.ts';
import { postOrPutOff } from './post-messages.ts';

export interface ClaimedMessage {
  readonly id: string;
  readonly kind: Delivery['kind'];
  /** A channel's ID, or a user's for a direct message. */
  readonly channel: string;
  readonly threadTs: string | null;
  /** Counts from 1. Distinguishes this claim from a later one, made after this one's lease expired. */
  readonly attempt: number;
  readonly claimedAt: Date;
  /** When a post began whose outcome was never recorded; the message may be in the channel already. */
  readonly unresolvedSince: Date | null;
}

export interface PostedMessage {
  readonly id: string;
  readonly channel: string;
  readonly ts: string;
  /** The fingerprint of what the message shows: its mark alone while an earlier attempt may have changed that. */
  readonly fingerprint: string;
  /** Edit attempts since the last success, including this one. */
  readonly attempt: number;
  readonly claimedAt: Date;
}

export interface ShownMessage {
  readonly fingerprint: string;
  readonly failures: number;
}

export interface DeliveryStore {
  /** The oldest message due by `now`, or one whose lease has expired by the database's clock, which replicas share. Null if none is due. */
  claimMessage(now: Date): Promise<ClaimedMessage | null>;
  renewClaim(claimed: ClaimedMessage): Promise<boolean>;
  content(messageId: string, now: Date): Promise<Delivery>;
  notePosted(messageId: string, posted: ShownMessage & { readonly ts: string }, now: Date): Promise<void>;
  /** Slack definitely didn't post it: try again at `retryAt`. This and the methods below write nothing for a claim that was overtaken. */
  noteNotPosted(claimed: ClaimedMessage, reason: string, retryAt: Date): Promise<void>;
  /** Slack accepts nothing more in this channel before `until`. */
  noteRateLimited(claimed: ClaimedMessage, until: Date): Promise<void>;
  /** Nobody knows whether Slack posted it: it stays claimed for `forMs` more, by the database's clock, and is then looked for. */
  noteUnresolved(claimed: ClaimedMessage, forMs: number): Promise<void>;
  noteGivenUp(claimed: ClaimedMessage, reason: string): Promise<void>;
  /**
   * The channel accepts no messages from Notif. If a person made the watch, it is removed and its creator notified in the same transaction.
   * The configured watch is tried again at `retryAt`, and `operators` (user IDs) are notified once until it works again. They are also
   * notified instead of a person who accepts no messages.
   */
  noteShutOut(
    claimed: ClaimedMessage,
    why: WatchEnd,
    trouble: { readonly reason: string; readonly operators: readonly string[]; readonly retryAt: Date },
    now: Date,
  ): Promise<'watch ended' | 'tried again' | 'given up'>;
  /** The most urgent edit: state changes first, then the largest increases. Null if none, if this minute's edits are used up, or in a pause. */
  claimEdit(now: Date): Promise<PostedMessage | null>;
  noteEdited(message: PostedMessage, shown: ShownMessage): Promise<void>;
  /** An edit failed for now: redraw the message at `retryAt`. */
  noteNotEdited(message: PostedMessage, retryAt: Date): Promise<void>;
  pauseEdits(until: Date): Promise<void>;
  /** The message was deleted. Its incidents are announced again if they continue. The end of a gap is posted once as a new message. */
  noteDeleted(message: PostedMessage): Promise<void>;
  /**
   * The message is in its channel but can't be edited; its incidents count as announced. If Slack refuses because of the message or its age,
   * Notif never edits it again; if because of the channel, Notif tries one edit there every half hour. The end of a gap, and the outcome of
   * an audited change, are posted once as a new message.
   */
  noteFrozen(message: PostedMessage, refusal: EditRefusal, now: Date): Promise<void>;
}

export type PostOutcome =
  | { readonly outcome: 'posted'; readonly ts: string; readonly fingerprint: string }
  /** Slack didn't post it, and accepts nothing more in this channel for a while. */
  | { readonly outcome: 'rate-limited'; readonly retryAfterMs: number }
  /** Slack didn't post it, or nothing was sent. `fix` if somebody has to fix the app's setup first. */
  | { readonly outcome: 'not-posted'; readonly reason: string; readonly fix: string | null }
  | { readonly outcome: 'shut-out'; readonly reason: string; readonly why: WatchEnd }
  /** The parent message is gone, or accepts no replies. */
  | { readonly outcome: 'no-thread'; readonly reason: string }
  /** The answer was lost. */
  | { readonly outcome: 'unknown' };

export type EditOutcome =
  | { readonly outcome: 'edited' | 'unchanged'; readonly fingerprint: string }
  | { readonly outcome: 'rate-limited'; readonly retryAfterMs: number }
  | { readonly outcome: 'later'; readonly reason: string; readonly fix: string | null }
  | { readonly outcome: 'deleted'; readonly reason: string }
  | ({ readonly outcome: 'frozen' } & EditRefusal);

export interface EditRefusal {
  readonly reason: string;
  readonly scope: 'message' | 'channel';
}

export type SoughtMessage = Pick<ClaimedMessage, 'id' | 'channel' | 'threadTs'>;

export type HistoryLookup =
  | { readonly found: 'yes'; readonly ts: string }
  | { readonly found: 'no' }
  | { readonly found: 'cannot-read'; readonly reason: string }
  /** Slack can't be asked right now; nothing is sent until it can. `retryAfterMs` if Slack gives it. */
  | { readonly found: 'not-now'; readonly reason: string; readonly retryAfterMs: number | null };

export interface DeliveryPublisher {
  post(content: Delivery, options: { readonly possibleRepeat: boolean }): Promise<PostOutcome>;
  edit(content: Delivery, posted: PostedMessage): Promise<EditOutcome>;
  find(message: SoughtMessage, since: Date): Promise<HistoryLookup>;
}

export interface DeliveryParts {
  readonly store: DeliveryStore;
  readonly publisher: DeliveryPublisher;
  /** User IDs of the people who can take care of the configured watch. */
  readonly operators: readonly string[];
  readonly logger: Logger;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

/** A run with more to do than this leaves the rest to the next one, well before its job's timeout would cut it off. */
const LONGEST_RUN_MS = 60_000;

/** Alternating turns, so that neither starves the other. Returns how many messages failed unexpectedly; they are put off and block no other. */
export async function deliverMessages(parts: DeliveryParts): Promise<number> {
  const { store, now, signal } = parts;
  const endsAt = now().getTime() + LONGEST_RUN_MS;
  let unexpected = 0;
  let isDone = false;
  while (!isDone && now().getTime() < endsAt && !signal.aborted) {
    const posts = await takeTurn(() => store.claimMessage(now()), postOrPutOff, parts);
    const edits = await takeTurn(() => store.claimEdit(now()), editOrPutOff, parts);
    unexpected += posts.unexpected + edits.unexpected;
    isDone = posts.isDone && edits.isDone;
  }
  return unexpected;
}

/** A turn ends after this many messages, or after this long. */
const MOST_IN_A_TURN = 20;
const LONGEST_TURN_MS = 15_000;

/** `isDone`: nothing is left to claim. `unexpected`: how many messages failed unexpectedly. */
async function takeTurn<Message>(
  claim: () => Promise<Message | null>,
  handle: (message: Message, parts: DeliveryParts) => Promise<boolean>,
  parts: DeliveryParts,
): Promise<{ readonly isDone: boolean; readonly unexpected: number }> {
  const { now, signal } = parts;
  const endsAt = now().getTime() + LONGEST_TURN_MS;
  let unexpected = 0;
  for (let taken = 0; taken < MOST_IN_A_TURN && now().getTime() < endsAt && !signal.aborted; taken += 1) {
    const message = await claim();
    if (message === null) return { isDone: true, unexpected };
    if (!(await handle(message, parts))) unexpected += 1;
  }
  return { isDone: false, unexpected };
}
