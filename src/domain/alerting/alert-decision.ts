import type { GroupTally } from '../failures/failure.ts';
import type { EpisodeBeginning, Mute } from '../incidents/episode.ts';
import { type IncidentState, isOverIn } from '../incidents/incident.ts';
import { isQuietAt } from '../time/wall-clock.ts';
import { type Threshold, type Watchable, type WatchSettings, wants } from '../watches/watch.ts';
import type { RowReason } from './delivery.ts';
import { isReached, type Minutes } from './threshold.ts';

/** An incident that a watch may have to be alerted to, with all that this depends on. */
export interface Candidate {
  readonly episodeId: number;
  readonly beganAs: EpisodeBeginning;
  readonly state: IncidentState;
  /** How often it has failed again after it was over. */
  readonly relapses: number;
  /** Of the parts that the watch is about; all of them where it is about none. */
  readonly tally: GroupTally;
  /** Each part of the incident, a workflow each. The watch is about those that its filter takes. */
  readonly parts: readonly Watchable[];
  readonly isAcknowledged: boolean;
  /** The watch's last alert about this episode; null: none. */
  readonly lastAlert: LastAlert | null;
  /** The messages of the last `SAME_GROUP_MS` that announced the group, in this episode or another one, in any order. */
  readonly groupTurns: readonly GroupTurn[];
  /** When the group's mute in this watch ends, or ended where its end has not been announced; null where there is none. */
  readonly mutedUntil: Date | null;
  /** Its failures that occurred and were recorded within a mute that has ended since, of the group or the watch, and not announced yet. */
  readonly missed: number;
  /** Needed as long as nothing was announced, where the watch has a threshold; may be empty where it has fewer failures than that. */
  readonly minutes: Minutes;
  readonly held: Held | null;
}

/** What of a candidate can make it news. */
export type PossibleNews = Pick<Candidate, 'beganAs' | 'state' | 'relapses' | 'lastAlert' | 'missed' | 'minutes'> & {
  readonly tally: Pick<GroupTally, 'failures' | 'critical'>;
};

/** A message that announced a group. One that can't be edited counts like any other: it is still there. */
export interface GroupTurn {
  /** When it was posted; now for one that is on its way. */
  readonly at: Date;
  readonly isDeleted: boolean;
}

export interface LastAlert {
  /** How many failures the episode had then. */
  readonly failures: number;
  /** The message that announced it was deleted, or stayed behind in another channel, and the episode went on after it. */
  readonly isGone: boolean;
  readonly relapses: number;
  readonly wasCritical: boolean;
}

/** What keeps news from a watch for now: it, or the group, is muted; it is in its quiet time; it, or the group, had its turn just now. */
export type HoldReason = 'mute' | 'quiet' | 'pace';

/** An episode that a watch is to be alerted to later: since when, and why at first, also that its message was gone when it went on. */
export interface Held {
  readonly why: HoldReason | 'gone';
  readonly since: Date;
}

/** What to do about a candidate; one that is held is decided again, one that is passed comes up again when it goes on. */
export type Decision =
  | { readonly decision: 'tell'; readonly reason: RowReason }
  | { readonly decision: 'hold'; readonly why: HoldReason }
  | { readonly decision: 'pass' };

/** A group that was announced is news again when it has failed this many times as often. */
export const GROWTH = 10;

/** A watch is alerted to a group at most once in this time; once more where the message was deleted. */
export const SAME_GROUP_MS = 30 * 60_000;

/** Messages for a group in that time, deleted ones included: somebody who deletes them all isn't flooded by it. */
export const MOST_TURNS = 2;

/** A relapse, and the first critical workflow of an incident, wait for nothing but this time after the last message about it. */
export const URGENT_EVERY_MS = 10 * 60_000;

/** Whether a watch is alerted to an incident now; `suppression` is what keeps every new message from the watch, null where nothing does. */
export function decide(
  candidate: Candidate,
  { filter, threshold }: Pick<WatchSettings, 'filter' | 'threshold'>,
  suppression: HoldReason | null,
  now: Date,
): Decision {
  if (!candidate.parts.some((part) => wants(filter, part))) return { decision: 'pass' };
  const isMuted = candidate.mutedUntil !== null && now < candidate.mutedUntil;
  if (isMuted || suppression === 'mute') return { decision: 'hold', why: 'mute' };
  const reason = reasonToAlert(candidate, threshold);
  if (reason === null) return { decision: 'pass' };
  if (suppression !== null) return { decision: 'hold', why: suppression };
  if (isUrgent(reason) ? wasAlertedJustNow(candidate, now) : hadItsTurn(candidate, now)) {
    return { decision: 'hold', why: 'pace' };
  }
  return { decision: 'tell', reason };
}

/**
 * Why a watch is alerted to an incident that it's about, as soon as nothing holds it; null: it isn't.
 *
 * A threshold stands before the first alert only: anyone who has been alerted wants to hear how it goes on. What is over needs nobody, but
 * what the watch has not heard of at all is said once, as over.
 */
export function reasonToAlert(candidate: PossibleNews, threshold: Threshold | null): RowReason | null {
  const { lastAlert, missed, beganAs, tally, minutes, state, relapses } = candidate;
  if (lastAlert === null && threshold !== null && !isReached(threshold, minutes)) return null;
  if (missed > 0) return 'missed';
  if (lastAlert === null) return beganAs;
  if (lastAlert.isGone) return 'goes-on';
  if (isOverIn(state)) return null;
  if (relapses > lastAlert.relapses) return 'relapsed';
  if (tally.critical && !lastAlert.wasCritical) return 'critical';
  return state === 'firing' && tally.failures >= GROWTH * lastAlert.failures ? 'grown' : null;
}

function isUrgent(reason: RowReason): boolean {
  return reason === 'relapsed' || reason === 'critical';
}

function wasAlertedJustNow({ groupTurns }: Candidate, now: Date): boolean {
  return groupTurns.some(({ at }) => now.getTime() - at.getTime() < URGENT_EVERY_MS);
}

function hadItsTurn({ groupTurns }: Candidate, now: Date): boolean {
  const lately = groupTurns.filter(({ at }) => now.getTime() - at.getTime() < SAME_GROUP_MS);
  return lately.length >= MOST_TURNS || lately.some(({ isDeleted }) => !isDeleted);
}

/** What keeps all that notifies from a watch now; `mute` is the whole watch's, whether it still runs or not. */
export function holdReasonOf(
  { quiet, timeZone }: Pick<WatchSettings, 'quiet' | 'timeZone'>,
  mute: Mute | null,
  now: Date,
): Extract<HoldReason, 'mute' | 'quiet'> | null {
  if (mute !== null && now < mute.until) return 'mute';
  return isQuietAt(quiet, timeZone, now) ? 'quiet' : null;
}
