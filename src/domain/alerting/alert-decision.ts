import type { GroupTally } from '../failures/failure.ts';
import type { EpisodeBeginning, Mute } from '../incidents/episode.ts';
import { type IncidentState, isOverIn } from '../incidents/incident.ts';
import { isQuietAt } from '../time/wall-clock.ts';
import { type Threshold, type Watchable, type WatchSettings, wants } from '../watches/watch.ts';
import type { RowReason } from './delivery.ts';
import { isReached, type Minutes } from './threshold.ts';

export interface Candidate {
  readonly episodeId: number;
  readonly beganAs: EpisodeBeginning;
  readonly state: IncidentState;
  readonly relapses: number;
  /** Of the parts that the watch covers; of all parts if it covers none. */
  readonly tally: GroupTally;
  /** Each part of the incident, one per workflow. The watch covers those that match its filter. */
  readonly parts: readonly Watchable[];
  readonly isAcknowledged: boolean;
  readonly lastAlert: LastAlert | null;
  /** Whether the watch was alerted to an earlier episode of the incident since it was new or came back. */
  readonly wasAlertedEarlier: boolean;
  /** The messages of the last `SAME_INCIDENT_MS` that announced the incident, in any episode, in any order. */
  readonly incidentTurns: readonly IncidentTurn[];
  /** When the incident's mute in this watch ends, or ended if its end has not been announced; null if there is none. */
  readonly mutedUntil: Date | null;
  /** Unannounced failures that occurred and were recorded within an ended mute of the incident or the watch. */
  readonly missed: number;
  /** Needed until the first alert if the watch has a threshold; may be empty if there are fewer failures than that. */
  readonly minutes: Minutes;
  readonly held: Held | null;
}

export type PossibleNews = Pick<
  Candidate,
  'beganAs' | 'state' | 'relapses' | 'lastAlert' | 'wasAlertedEarlier' | 'missed' | 'minutes'
> & {
  readonly tally: Pick<GroupTally, 'failures' | 'critical'>;
};

/** A message that announced an incident. One that can't be edited counts too, since it is still there. */
export interface IncidentTurn {
  /** When it was posted; now for a pending one. */
  readonly at: Date;
  readonly isDeleted: boolean;
}

export interface LastAlert {
  readonly failures: number;
  /** Whether the episode continued after the message that announced it was deleted or left behind in another channel. */
  readonly isGone: boolean;
  readonly relapses: number;
  readonly wasCritical: boolean;
}

/** Why an alert is held: the watch or the incident is muted, it is in quiet hours, or it had an alert just now. */
export type HoldReason = 'mute' | 'quiet' | 'pace';

/** `since`: the beginning of the mute or quiet hours that hold it, whichever began last, or else of the first reason. */
export interface Held {
  readonly why: HoldReason | 'gone';
  readonly since: Date;
}

/** The decision on a candidate. A held one is decided again; a passed one comes up again when it continues. */
export type Decision =
  | { readonly decision: 'announce'; readonly reason: RowReason }
  | { readonly decision: 'hold'; readonly why: HoldReason }
  | { readonly decision: 'pass' };

export const GROWTH = 10;

/** A watch is alerted to an incident at most once in this time, and once more if the message was deleted. */
export const SAME_INCIDENT_MS = 30 * 60_000;

/** The most messages for an incident in that time, including deleted ones, so that deleting them all doesn't cause a flood. */
export const MOST_TURNS = 2;

/** A relapse, and an incident's first critical workflow, wait only this long after the last message about it. */
const URGENT_EVERY_MS = 10 * 60_000;

/** `suppression`: what suppresses all of the watch's new messages, if anything. */
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
  return mustWait(candidate, reason, now) ? { decision: 'hold', why: 'pace' } : { decision: 'announce', reason };
}

/** A threshold applies only before the first alert, over all episodes. An ended incident that was never alerted is announced once, as ended. */
function reasonToAlert(candidate: PossibleNews, threshold: Threshold | null): RowReason | null {
  const { lastAlert, missed, beganAs } = candidate;
  if (threshold !== null && !wasEverAlerted(candidate) && !isReached(threshold, candidate.minutes)) return null;
  if (missed > 0) return 'missed';
  if (lastAlert === null) return beganAs;
  if (lastAlert.isGone) return 'goes-on';
  return urgentNews(candidate) ?? (hasGrown(candidate, lastAlert) ? 'grown' : null);
}

function wasEverAlerted({ lastAlert, wasAlertedEarlier }: Pick<PossibleNews, 'lastAlert' | 'wasAlertedEarlier'>) {
  return lastAlert !== null || wasAlertedEarlier;
}

function hasGrown({ state, tally }: PossibleNews, lastAlert: LastAlert): boolean {
  return state === 'firing' && tally.failures >= GROWTH * lastAlert.failures;
}

/** Returns what can't wait for half an hour; null: nothing. */
function urgentNews(candidate: PossibleNews): 'relapsed' | 'critical' | null {
  const { lastAlert, state, beganAs, relapses, tally } = candidate;
  if (isOverIn(state)) return null;
  if (lastAlert === null) return beganAs === 'relapsed' ? beganAs : null;
  if (relapses > lastAlert.relapses) return 'relapsed';
  return tally.critical && !lastAlert.wasCritical ? 'critical' : null;
}

/** Returns whether an alert waits because of earlier ones: also what isn't urgent goes out with what is. */
function mustWait(candidate: Candidate, reason: RowReason, now: Date): boolean {
  const urgent = urgentNews(candidate);
  if (urgent !== null && !wasAlertedJustNow(candidate, now)) return false;
  return reason === urgent || hadItsTurn(candidate, now);
}

function wasAlertedJustNow({ incidentTurns }: Candidate, now: Date): boolean {
  return incidentTurns.some(({ at }) => isCloserThan(URGENT_EVERY_MS, at, now));
}

function hadItsTurn({ incidentTurns }: Candidate, now: Date): boolean {
  const lately = incidentTurns.filter(({ at }) => isCloserThan(SAME_INCIDENT_MS, at, now));
  return lately.length >= MOST_TURNS || lately.some(({ isDeleted }) => !isDeleted);
}

/** A replica whose clock is ahead dates messages into the future: further away counts as older, so that a wrong clock silences nothing. */
export function isCloserThan(ms: number, at: Date, now: Date): boolean {
  return Math.abs(now.getTime() - at.getTime()) < ms;
}

/** `mute` is the whole watch's, active or not. */
export function holdReasonOf(
  { quiet, timeZone }: Pick<WatchSettings, 'quiet' | 'timeZone'>,
  mute: Mute | null,
  now: Date,
): Extract<HoldReason, 'mute' | 'quiet'> | null {
  if (mute !== null && now < mute.until) return 'mute';
  return isQuietAt(quiet, timeZone, now) ? 'quiet' : null;
}
