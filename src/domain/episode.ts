/**
 * A stretch of time in which a group failed without an hour's pause, at most a day long: what one row of a digest tells and counts
 * on. A group that fails again after its episode has ended begins the next one, and that is told anew.
 */
export interface Episode {
  readonly id: number;
  readonly beganAs: EpisodeBeginning;
  readonly endsAt: Date;
  readonly lastRecordedAt: Date;
  /** How often the group has come back so far, without a day's pause. */
  readonly returns: number;
}

/** Why a group's episode began: never seen before, back after a pause, or the day of the one before was over. */
export type EpisodeBeginning = 'new' | 'back' | 'goes-on';

/** An episode's row counts on for this long; a group that goes on after that is told anew. */
export const EPISODE_MS = 24 * 60 * 60_000;

/** Without a failure for this long a group is quiet, or recovered where the same workflow, channel and provider succeeded since. */
export const QUIET_MS = 60 * 60_000;

/** The episode that a failure begins, or null where it belongs to the group's last one. */
export function nextEpisode(
  last: Omit<Episode, 'id' | 'beganAs'> | null,
  now: Date,
): Pick<Episode, 'beganAs' | 'returns'> | null {
  if (last === null) return { beganAs: 'new', returns: 0 };
  const pause = now.getTime() - last.lastRecordedAt.getTime();
  if (pause >= pauseBeforeReturn(last.returns)) {
    return { beganAs: 'back', returns: pause >= EPISODE_MS ? 0 : last.returns + 1 };
  }
  if (now >= last.endsAt) return { beganAs: 'goes-on', returns: last.returns };
  return null;
}

/** A group that comes and goes is news the first time; each further return needs twice the pause, so that it does not wake people hourly. */
function pauseBeforeReturn(returns: number): number {
  return Math.min(QUIET_MS * 2 ** Math.min(returns, 10), EPISODE_MS);
}

/** What a group is doing, beside what people made of it. */
export type Phase =
  | { readonly phase: 'failing' }
  /** No failure since, and nothing that would show whether it works again. */
  | { readonly phase: 'quiet'; readonly since: Date }
  /** No failure for an hour, and the same workflow, channel and provider succeeded again from then on. */
  | { readonly phase: 'recovered'; readonly since: Date };

/**
 * The phase of an episode: `lastSeen` is its last failure, `lastRecordedAt` when that was read, `sendingSince` the first success of
 * the same workflow, channel and provider after it.
 */
export function phaseOf(
  episode: { readonly lastSeen: Date; readonly lastRecordedAt: Date; readonly sendingSince: Date | null },
  now: Date,
): Phase {
  if (now.getTime() - episode.lastRecordedAt.getTime() < QUIET_MS) return { phase: 'failing' };
  return episode.sendingSince === null
    ? { phase: 'quiet', since: episode.lastSeen }
    : { phase: 'recovered', since: episode.sendingSince };
}

/** Somebody is at it: mentions stop, for this episode. */
export interface Acknowledgement {
  /** A Slack user id. */
  readonly by: string;
  readonly at: Date;
}

/** A watch hears nothing new of a group, or of anything, up to a time; then it is told what it missed. */
export interface Mute {
  readonly by: string;
  readonly from: Date;
  readonly until: Date;
}
