import type { ChangeBefore } from '../changes/changed-before.ts';
import type { GroupTally } from '../failures/failure.ts';
import type { Share } from '../failures/share.ts';
import type { TimeRange } from '../time/time-range.ts';
import type { Acknowledgment, Assignment, Mute, StateNow } from './episode.ts';
import type { LastTime } from './last-time.ts';
import type { Note } from './note.ts';
import type { SharedLabel } from './shared-label.ts';

export interface IncidentNow {
  readonly episodeId: number;
  readonly asOf: Date;
  /** Since the episode began. Its group is the largest part's. */
  readonly tally: GroupTally;
  /** The first failure of the outage, which can be some days, so episodes, before this one's. */
  readonly outageSince: Date;
  /** By workflow, the most failures first: at most `MOST_PARTS`. */
  readonly parts: readonly IncidentPart[];
  readonly moreParts: number;
  /** What nearly all of its events have in common, unless other events have it too. */
  readonly shared: SharedLabel | null;
  readonly changedBefore: ChangeBefore | null;
  readonly lately: Lately;
  readonly state: StateNow;
  /** How often it failed again after it ended; 0: never. */
  readonly relapses: number;
  readonly acknowledged: Acknowledgment | null;
  /** Who removed the last acknowledgment, if nobody has acknowledged it since. */
  readonly unacknowledged: Acknowledgment | null;
  readonly assigned: Assignment | null;
  readonly mute: Mute | null;
  readonly note: Note | null;
  /** The last outage with the same cause; null if there is none with useful information. */
  readonly lastTime: LastTime | null;
}

export interface IncidentPart {
  readonly tally: GroupTally;
  /** The share of its workflow's events that failed, from the first failed event to the last. */
  readonly share: Share | null;
}

export const MOST_PARTS = 3;

/** An incident's recent counts, until its environment was last checked, by whole minutes. */
export interface Lately {
  /** The five minutes of `failures` and `attempts`. */
  readonly window: TimeRange;
  readonly failures: number;
  /** Steps of its channel and provider that failed or were delivered; null if the row shows only some of its workflows, or warnings. */
  readonly attempts: number | null;
  /** When a step of its channel and provider was last delivered, to the minute; null if none was in the last day. */
  readonly lastSuccessAt: Date | null;
  /** Its failures in each of the last `TREND_LENGTH` steps of `TREND_STEP_MS`. */
  readonly trend: readonly number[];
}

export const LATELY_MS = 5 * 60_000;

export const TREND_LENGTH = 12;
export const TREND_STEP_MS = 5 * 60_000;
