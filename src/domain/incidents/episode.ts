import { doubled } from '../time/doubled.ts';
import { type IncidentState, isOverIn, QUIET_MS } from './incident.ts';

/**
 * A part of an incident's life, a day long at most: what one row of a digest shows and counts on. An incident that relapses within a day
 * goes on in its episode; one that fails again after that, or after it was quiet, begins the next one, which is announced again.
 */
export interface Episode {
  readonly id: number;
  readonly beganAs: EpisodeBeginning;
  readonly endsAt: Date;
  readonly lastRecordedAt: Date;
  readonly state: IncidentState;
  /** How often the incident has come back so far, without a day's pause. */
  readonly returns: number;
}

/** Why an episode began: never seen before, back after a pause, relapsed, or the day of the one before was over. */
export type EpisodeBeginning = 'new' | 'back' | 'relapsed' | 'goes-on';

/** An episode's row counts on for this long; an incident that goes on after that is announced again. */
export const EPISODE_MS = 24 * 60 * 60_000;

/** The episode that a failure begins, or null where it belongs to the incident's last one. */
export function nextEpisode(
  last: Omit<Episode, 'id' | 'beganAs'> | null,
  now: Date,
): Pick<Episode, 'beganAs' | 'returns'> | null {
  if (last === null) return { beganAs: 'new', returns: 0 };
  const pause = now.getTime() - last.lastRecordedAt.getTime();
  const isOver = isOverIn(last.state);
  if (pause >= (isOver ? EPISODE_MS : pauseBeforeReturn(last.returns))) {
    return { beganAs: 'back', returns: pause >= EPISODE_MS ? 0 : last.returns + 1 };
  }
  if (now >= last.endsAt) return { beganAs: isOver ? 'relapsed' : 'goes-on', returns: last.returns };
  return null;
}

/** What fails again after an hour is worth an alert the first time; each further return needs twice the pause, so that it wakes nobody hourly. */
function pauseBeforeReturn(returns: number): number {
  return doubled(QUIET_MS, returns, EPISODE_MS);
}

/** The state of an incident (`incident.ts`), with what a row says of it. */
export type StateNow =
  | { readonly is: 'firing' }
  /** No failure since. */
  | { readonly is: 'quiet'; readonly since: Date }
  /** It failed last at `since`; delivered again from `sendingSince` on. */
  | { readonly is: 'recovering'; readonly since: Date; readonly sendingSince: Date | null }
  /** At `at`, by a person or, where that is null, since it had recovered. */
  | { readonly is: 'resolved'; readonly at: Date; readonly by: string | null };

/** Somebody is at it: mentions stop, for this episode. */
export interface Acknowledgment {
  /** A Slack user id. */
  readonly by: string;
  readonly at: Date;
}

/** Somebody takes care of it, at the wish of somebody, who may be the same. */
export interface Assignment extends Acknowledgment {
  /** A Slack user id. */
  readonly to: string;
}

/** A watch hears nothing new of a group, or of anything, up to a time; then it is alerted to what it missed. */
export interface Mute {
  readonly by: string;
  readonly from: Date;
  readonly until: Date;
}
