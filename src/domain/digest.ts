import type { HeldBack, RowReason } from './delivery.ts';
import type { Mute } from './episode.ts';
import { compareTallies, type VerdictCounts } from './failure.ts';
import { isOverIn } from './incident.ts';
import { type Candidate, type Decision, decide, type HoldReason, silenceOf } from './news.ts';
import { quietTimeAt } from './wall-clock.ts';
import type { Mention, Watch } from './watch.ts';

/** What may have to be told to a watch about an environment after a round of reading. */
export interface Round {
  readonly watch: Watch;
  readonly candidates: readonly Candidate[];
  /** Failures that are only counted, and that the watch was not told. */
  readonly counted: VerdictCounts;
  /** When its last message with groups was written. */
  readonly lastNewsAt: Date | null;
  /** Its last message that only counts. */
  readonly countedOnly: CountedOnly | null;
  /** The mute of the whole watch: one that runs, or one that has ended and whose end has not been told. */
  readonly mute: Mute | null;
}

export interface CountedOnly {
  readonly writtenAt: Date;
  /** It is there, and no message with groups came after it. */
  readonly countsOn: boolean;
}

/** What is done about a round: the message that is written or goes on, if any, and which episodes are kept for later. */
export interface Plan {
  readonly message: PlannedMessage | null;
  readonly held: readonly { readonly episodeId: number; readonly why: HoldReason }[];
}

/** A message with groups; one that only counts; or the last of these, which goes on counting without notifying anybody. */
export type PlannedMessage =
  | PlannedDigest
  | { readonly kind: 'counted-only' }
  | { readonly kind: 'extended-counted-only' };

export interface PlannedDigest {
  readonly kind: 'new-groups';
  /** In the order of `compareTallies`. */
  readonly rows: readonly PlannedRow[];
  readonly mention: Mention | null;
  readonly heldBack: HeldBack | null;
}

export interface PlannedRow {
  readonly episodeId: number;
  readonly reason: RowReason;
  /** What the watch knows of it from here on. */
  readonly failures: number;
  readonly relapses: number;
  readonly critical: boolean;
  readonly missed: number | null;
}

/** A watch gets at most one message that only counts in this time. */
export const COUNTED_ONLY_EVERY_MS = 24 * 60 * 60_000;

/** What is only counted right after a message with groups can wait for the next one: a message of its own comes this long after. */
export const COUNTED_ONLY_AFTER_NEWS_MS = 60 * 60_000;

/** A digest has at most this many rows; the other groups are behind a button. */
export const DIGEST_ROWS = 10;

/**
 * What a watch is told of a round: all that is news to it in one message. What is only counted stands in that message or, where there
 * is none, in one of its own.
 */
export function planDigest(round: Round, now: Date): Plan {
  const hush = hushOf(round, now);
  const decided = round.candidates.map((candidate) => ({
    candidate,
    ...decide(candidate, round.watch.settings, hush, now),
  }));
  const news = decided.filter(isTold).sort((a, b) => compareTallies(a.candidate.tally, b.candidate.tally));
  return {
    message: news.length > 0 ? digestOf(news, round, now) : countedMessage(round, hush, now),
    held: decided.flatMap((one) =>
      one.decision === 'hold' ? [{ episodeId: one.candidate.episodeId, why: one.why }] : [],
    ),
  };
}

/** What keeps every new message from a watch now. */
function hushOf({ watch: { settings }, mute, lastNewsAt }: Round, now: Date): HoldReason | null {
  const hadItsTurn = lastNewsAt !== null && now.getTime() - lastNewsAt.getTime() < settings.everyMs;
  return silenceOf(settings, mute, now) ?? (hadItsTurn ? 'pace' : null);
}

type News = { readonly candidate: Candidate } & Extract<Decision, { decision: 'tell' }>;

function isTold(decided: { readonly candidate: Candidate } & Decision): decided is News {
  return decided.decision === 'tell';
}

/** Somebody is mentioned unless all of it is over, or in somebody's hands already. */
function digestOf(news: readonly News[], round: Round, now: Date): PlannedDigest {
  const isInHand = news.every(({ candidate }) => candidate.isAcknowledged || isOverIn(candidate.state));
  return {
    kind: 'new-groups',
    rows: news.map(({ candidate, reason }) => ({
      episodeId: candidate.episodeId,
      reason,
      failures: candidate.tally.failures,
      relapses: candidate.relapses,
      critical: candidate.tally.critical,
      missed: candidate.missed > 0 ? candidate.missed : null,
    })),
    mention: isInHand ? null : round.watch.settings.mention,
    heldBack: heldBackOf(news, round, now),
  };
}

/** What held a digest back as a whole; the mute of one group is in its row. */
function heldBackOf(news: readonly News[], { watch: { settings }, mute }: Round, now: Date): HeldBack | null {
  if (mute !== null && news.some(({ candidate }) => isReleasedBy(mute, candidate)))
    return { why: 'mute', from: mute.from, to: mute.until };
  const held = news.flatMap(({ candidate }) => candidate.held ?? []);
  const quiet = held.filter(({ why }) => why === 'quiet').map(({ since }) => since);
  if (quiet.length === 0) return null;
  const since = new Date(Math.min(...quiet.map(Number)));
  const { from, to } = quietTimeAt(settings.quiet, settings.timeZone, since) ?? { from: since, to: now };
  return { why: 'quiet', from, to };
}

/** It waited for the end of the whole watch's mute, and not for the end of its own group's after that. */
function isReleasedBy({ until }: Mute, { held, mutedUntil }: Candidate): boolean {
  return held?.why === 'mute' && held.since < until && (mutedUntil === null || mutedUntil <= until);
}

function countedMessage(round: Round, hush: HoldReason | null, now: Date): PlannedMessage | null {
  const { counted, countedOnly, lastNewsAt } = round;
  if (!Object.values(counted).some((count) => count > 0)) return null;
  if (countedOnly !== null && now.getTime() - countedOnly.writtenAt.getTime() < COUNTED_ONLY_EVERY_MS) {
    return countedOnly.countsOn ? { kind: 'extended-counted-only' } : null;
  }
  const hadNews = lastNewsAt !== null && now.getTime() - lastNewsAt.getTime() < COUNTED_ONLY_AFTER_NEWS_MS;
  return hush === null && !hadNews ? { kind: 'counted-only' } : null;
}
