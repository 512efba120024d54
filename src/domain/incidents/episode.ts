import { doubled } from '../time/doubled.ts';
import { type IncidentState, isOverIn, QUIET_MS } from './incident.ts';

/**
 * A part of an incident's life, at most a day long: what one row of a digest shows and counts. An incident that relapses within a day
 * continues its episode; one that fails again after that, or after it was quiet, begins the next one, which is announced again.
 */
export interface Episode {
  readonly id: number;
  readonly beganAs: EpisodeBeginning;
  readonly endsAt: Date;
  /** When its latest failure occurred; and when the last one was recorded, which may have occurred earlier. */
  readonly lastFailureAt: Date;
  readonly lastRecordedAt: Date;
  /** When a person resolved it; null: nobody did, or it has failed since. */
  readonly resolvedByPersonAt: Date | null;
  readonly state: IncidentState;
  /** How often the incident has come back so far without a day's pause. */
  readonly returns: number;
}

export interface LastEpisode extends Omit<Episode, 'id' | 'beganAs'> {
  /** How much of the time since its last failure was recorded has been checked, in milliseconds. */
  readonly checkedMs: number;
}

/** Why an episode began: never seen before, back after a pause, relapsed, or the previous one's day was over. */
export type EpisodeBeginning = 'new' | 'back' | 'relapsed' | 'goes-on';

/** How long an episode's row keeps counting; an incident that continues after that is announced again. */
export const EPISODE_MS = 24 * 60 * 60_000;

/** Null if the failure belongs to the last one: so does what occurred before it was over, and what follows unchecked time. */
export function nextEpisode(
  last: LastEpisode | null,
  occurredAt: Date,
  now: Date,
): Pick<Episode, 'beganAs' | 'returns'> | null {
  if (last === null) return { beganAs: 'new', returns: 0 };
  if (isOverIn(last.state) && !isAfter(last, occurredAt)) return null;
  const pause = last.state === 'firing' ? last.checkedMs : now.getTime() - last.lastRecordedAt.getTime();
  const isOver = isOverIn(last.state);
  if (pause >= (isOver ? EPISODE_MS : pauseBeforeReturn(last.returns))) {
    return { beganAs: 'back', returns: pause >= EPISODE_MS ? 0 : last.returns + 1 };
  }
  if (now >= last.endsAt) return { beganAs: isOver ? 'relapsed' : 'goes-on', returns: last.returns };
  return null;
}

function isAfter(
  { lastFailureAt, resolvedByPersonAt }: Pick<Episode, 'lastFailureAt' | 'resolvedByPersonAt'>,
  occurredAt: Date,
): boolean {
  return occurredAt > lastFailureAt && (resolvedByPersonAt === null || occurredAt > resolvedByPersonAt);
}

/** Returns the pause after which a failure alerts again: an hour, doubled with each return, so that it doesn't wake anybody hourly. */
function pauseBeforeReturn(returns: number): number {
  return doubled(QUIET_MS, returns, EPISODE_MS);
}

/** The state of an incident (`incident.ts`), with what a row shows of it. */
export type StateNow =
  | { readonly is: 'firing' }
  | { readonly is: 'quiet'; readonly since: Date }
  /** It failed last at `since`; deliveries have succeeded again since `sendingSince`. */
  | { readonly is: 'recovering'; readonly since: Date; readonly sendingSince: Date | null }
  /** Resolved at `at`, by a person or, if `by` is null, automatically after recovering. */
  | { readonly is: 'resolved'; readonly at: Date; readonly by: string | null };

/** Somebody is working on it: mentions stop for this episode. */
export interface Acknowledgment {
  /** A Slack user id. */
  readonly by: string;
  readonly at: Date;
}

export interface Assignment extends Acknowledgment {
  /** A Slack user id. */
  readonly to: string;
}

/** Silences an incident, or everything, in a watch until a time; then the watch is alerted to what it missed. */
export interface Mute {
  readonly by: string;
  readonly from: Date;
  readonly until: Date;
}

/** A mute after somebody muted. `isRepeat`: the same person had muted it until then already, so nothing changed. */
export interface MuteAfter extends Mute {
  readonly isRepeat: boolean;
}
