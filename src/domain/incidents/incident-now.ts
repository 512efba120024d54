import type { ChangeBefore } from '../changes/changed-before.ts';
import type { GroupTally } from '../failures/failure.ts';
import type { Share } from '../failures/share.ts';
import type { TimeRange } from '../time/time-range.ts';
import type { Acknowledgment, Assignment, Mute, StateNow } from './episode.ts';
import type { LastTime } from './last-time.ts';
import type { Note } from './note.ts';
import type { Skews } from './skews.ts';

/** An incident's episode with all that a row shows of it. Of the parts that a watch is about, where the row belongs to one. */
export interface IncidentNow {
  /** What the row's buttons name. */
  readonly episodeId: number;
  /** Since it began. Its group is that of the largest part. */
  readonly tally: GroupTally;
  /** By workflow, the most failures first: at most `MOST_PARTS`. */
  readonly parts: readonly IncidentPart[];
  /** How many more there are. */
  readonly moreParts: number;
  /** What its events have in common, as far as that says something. */
  readonly skews: Skews;
  /** What was changed shortly before it began, and may explain it; null where nothing was. */
  readonly changedBefore: ChangeBefore | null;
  readonly lately: Lately;
  readonly state: StateNow;
  /** How often it failed again after it was over; 0: never. */
  readonly relapses: number;
  readonly acknowledged: Acknowledgment | null;
  /** Who took the last acknowledgment back, where nobody has acknowledged it since. */
  readonly unacknowledged: Acknowledgment | null;
  /** Who takes care of it; null where it's assigned to nobody. */
  readonly assigned: Assignment | null;
  /** In the watch that the row belongs to. */
  readonly mute: Mute | null;
  /** The last that somebody wrote about this outage. */
  readonly note: Note | null;
  /** The last outage of the same cause; null where there is none, or none that tells something. */
  readonly lastTime: LastTime | null;
}

/** What of an incident is one workflow's. */
export interface IncidentPart {
  readonly tally: GroupTally;
  /** What share of its workflow's events failed, from the first of them that did to the last. */
  readonly share: Share | null;
}

export const MOST_PARTS = 3;

/** How an incident does now: up to when its environment was checked, by whole minutes. */
export interface Lately {
  /** The five minutes that `failures` and `attempts` are of. */
  readonly window: TimeRange;
  readonly failures: number;
  /** Steps of its channel and provider that failed or were delivered; null where the row shows only some of its workflows. */
  readonly attempts: number | null;
  /** When a step of its channel and provider was delivered last, to the minute; null where none was in the last day. */
  readonly lastSuccessAt: Date | null;
  /** Its failures in each of the last `TREND_LENGTH` stretches of `TREND_STEP_MS`. */
  readonly trend: readonly number[];
}

export const LATELY_MS = 5 * 60_000;

/** A trend is the last half hour against the half hour before. */
export const TREND_LENGTH = 12;
export const TREND_STEP_MS = 5 * 60_000;
