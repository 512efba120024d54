import type { DigestContent } from '../domain/delivery.ts';
import { ANNOUNCEMENT_MS, EDIT_EVERY_MS } from '../domain/digest.ts';
import type { Logger } from '../domain/logger.ts';

/** A digest that somebody has claimed for posting. */
export interface ClaimedDigest {
  readonly id: string;
  readonly channel: string;
  readonly attempt: number;
  /** When a post was begun whose outcome nobody wrote down: it may stand in the channel already. */
  readonly unresolvedSince: Date | null;
}

export interface PostedDigest {
  readonly id: string;
  readonly channel: string;
  readonly ts: string;
  /** Of what it showed last. */
  readonly fingerprint: string;
}

export interface DeliveryStore {
  /**
   * The oldest digest that is to be posted by `now`, marked as begun before this returns; also one whose post was begun longer than
   * the lease ago. Null when there is none.
   */
  claimDigest(now: Date): Promise<ClaimedDigest | null>;
  content(digestId: string): Promise<DigestContent>;
  notePosted(digestId: string, posted: { readonly ts: string; readonly fingerprint: string }, now: Date): Promise<void>;
  /** Slack is known not to have posted it: try again at `retryAt`. */
  noteNotPosted(digestId: string, reason: string, retryAt: Date): Promise<void>;
  /** Nobody knows whether Slack posted it: look again at `retryAt`. */
  noteUnresolved(digestId: string, retryAt: Date): Promise<void>;
  /** Posted digests whose groups have changed since they were drawn, last edited before `editedBefore`, posted after `postedAfter`; marked as drawn at `now`. */
  claimEdits(
    now: Date,
    bounds: { readonly editedBefore: Date; readonly postedAfter: Date; readonly limit: number },
  ): Promise<PostedDigest[]>;
  noteEdited(digestId: string, fingerprint: string): Promise<void>;
  /** An edit failed for now: the digest is to be drawn again. */
  noteNotEdited(digestId: string): Promise<void>;
  /** The message is gone or can't be edited any more: its groups are announced anew when they go on. */
  endAnnouncements(digestId: string, now: Date): Promise<void>;
}

export type PostOutcome =
  | { readonly outcome: 'posted'; readonly ts: string; readonly fingerprint: string }
  /**
   * Slack answered that it did not post, or nothing was sent. `retryAfterMs` where Slack says when to try again. `mend` where
   * somebody has to do something first (the channel is archived, Notif was not invited).
   */
  | {
      readonly outcome: 'not-posted';
      readonly reason: string;
      readonly retryAfterMs: number | null;
      readonly mend: string | null;
    }
  /** The answer was lost. */
  | { readonly outcome: 'unknown' };

export type EditOutcome =
  | { readonly outcome: 'edited' | 'unchanged'; readonly fingerprint: string }
  | { readonly outcome: 'later'; readonly reason: string }
  | { readonly outcome: 'gone'; readonly reason: string };

export type Finding =
  | { readonly found: 'yes'; readonly ts: string }
  | { readonly found: 'no' }
  | { readonly found: 'cannot-read'; readonly reason: string }
  /** Slack is away just now: nothing is sent before it can be asked. */
  | { readonly found: 'not-now'; readonly reason: string };

export interface DigestPublisher {
  post(content: DigestContent, options: { readonly possibleRepeat: boolean }): Promise<PostOutcome>;
  edit(content: DigestContent, posted: PostedDigest): Promise<EditOutcome>;
  /** Looks for a digest's message in its channel by the delivery id in its metadata. */
  find(digestId: string, channel: string, since: Date): Promise<Finding>;
}

export interface DeliveryParts {
  readonly store: DeliveryStore;
  readonly publisher: DigestPublisher;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

/** After a lost answer Slack gets this long before its history is asked. */
const LOOK_AGAIN_MS = 3_000;
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 5 * 60_000;
const EDITS_A_ROUND = 20;

/** Posts the digests that wait to be posted, then brings the rows of the posted ones up to date. */
export async function deliverDigests(parts: DeliveryParts): Promise<void> {
  while (!parts.signal.aborted) {
    const digest = await parts.store.claimDigest(parts.now());
    if (digest === null) break;
    await deliver(digest, parts);
  }
  if (!parts.signal.aborted) await editRows(parts);
}

async function deliver(digest: ClaimedDigest, parts: DeliveryParts): Promise<void> {
  const { store, publisher, logger } = parts;
  let possibleRepeat = false;
  if (digest.unresolvedSince !== null) {
    const finding = await publisher.find(digest.id, digest.channel, digest.unresolvedSince);
    if (finding.found === 'yes') {
      logger.info({ digestId: digest.id }, 'digest found in its channel after a lost answer');
      return store.notePosted(digest.id, { ts: finding.ts, fingerprint: '' }, parts.now());
    }
    if (finding.found === 'not-now') {
      logger.warn({ digestId: digest.id, reason: finding.reason }, 'digest could not be looked for, asking again');
      const askAgainAt = new Date(parts.now().getTime() + waitBefore(digest.attempt, null, false));
      return store.noteUnresolved(digest.id, askAgainAt);
    }
    possibleRepeat = finding.found === 'cannot-read';
    if (finding.found === 'cannot-read') {
      logger.warn(
        { digestId: digest.id, reason: finding.reason },
        'channel history could not be read: a digest may be repeated',
      );
    }
  }
  const outcome = await publisher.post(await store.content(digest.id), { possibleRepeat });
  await settle(digest, outcome, parts);
}

async function settle(
  digest: ClaimedDigest,
  outcome: PostOutcome,
  { store, logger, now }: DeliveryParts,
): Promise<void> {
  const fields = { digestId: digest.id, attempt: digest.attempt };
  switch (outcome.outcome) {
    case 'posted':
      logger.info(fields, 'digest posted');
      return store.notePosted(digest.id, outcome, now());
    case 'not-posted': {
      const waitMs = waitBefore(digest.attempt, outcome.retryAfterMs, outcome.mend !== null);
      const level = outcome.mend === null ? 'warn' : 'error';
      logger[level](
        { ...fields, reason: outcome.reason, mend: outcome.mend, waitMs },
        'digest not posted, trying again',
      );
      return store.noteNotPosted(digest.id, outcome.reason, new Date(now().getTime() + waitMs));
    }
    case 'unknown':
      logger.warn(fields, 'answer to a post was lost, looking for the digest before it is sent again');
      return store.noteUnresolved(digest.id, new Date(now().getTime() + LOOK_AGAIN_MS));
  }
}

/** Slack's own word first; a set-up that somebody has to mend is tried as seldom as an outage that lasts. */
function waitBefore(attempt: number, retryAfterMs: number | null, needsMending: boolean): number {
  if (retryAfterMs !== null) return retryAfterMs;
  return needsMending ? LONGEST_RETRY_MS : Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempt - 1, 10), LONGEST_RETRY_MS);
}

async function editRows(parts: DeliveryParts): Promise<void> {
  const now = parts.now();
  const due = await parts.store.claimEdits(now, {
    editedBefore: new Date(now.getTime() - EDIT_EVERY_MS),
    postedAfter: new Date(now.getTime() - ANNOUNCEMENT_MS),
    limit: EDITS_A_ROUND,
  });
  for (const posted of due) {
    if (parts.signal.aborted) await parts.store.noteNotEdited(posted.id);
    else await edit(posted, parts);
  }
}

async function edit(posted: PostedDigest, { store, publisher, logger, now }: DeliveryParts): Promise<void> {
  const outcome = await publisher.edit(await store.content(posted.id), posted);
  switch (outcome.outcome) {
    case 'edited':
    case 'unchanged':
      return store.noteEdited(posted.id, outcome.fingerprint);
    case 'later':
      logger.warn({ digestId: posted.id, reason: outcome.reason }, 'digest not edited, trying again');
      return store.noteNotEdited(posted.id);
    case 'gone':
      logger.warn(
        { digestId: posted.id, reason: outcome.reason },
        'digest can not be edited any more: its groups are announced anew',
      );
      return store.endAnnouncements(posted.id, now());
  }
}
