import type { ServiceProblem } from './errors.ts';
import type { ReadingWindow } from './reading.ts';

/** What kept an environment from being read: a problem, that Notif did not run, or that there was more than it could read in time. */
export type GapCause = ServiceProblem['kind'] | 'not-running' | 'too-much';

/** A stretch of events' creation times that was not read when it should have been. */
export interface Gap {
  readonly id: string;
  readonly environment: string;
  readonly from: Date;
  /** Null as long as nothing can be read: it goes on. */
  readonly to: Date | null;
  readonly cause: GapCause;
  readonly openedAt: Date;
  /** When all that can be read of it had been; null before. */
  readonly closedAt: Date | null;
  /** What is still to be read. */
  readonly unread: readonly ReadingWindow[];
  /** What was tried in vain until it was beyond the horizon, or beyond what the plan keeps: it stays unread. */
  readonly givenUp: readonly ReadingWindow[];
  /** What was found when it was read. */
  readonly events: number;
  readonly failures: number;
}

/** A gap shorter than this is closed without a word: a restart, a hiccup. */
export const GAP_WORTH_TELLING_MS = 5 * 60_000;

/** Whether people should know: it is as long as that, has lasted as long, or something of it stays unread. */
export function isWorthTelling(gap: Gap, now: Date): boolean {
  const length = (gap.to ?? now).getTime() - gap.from.getTime();
  return length >= GAP_WORTH_TELLING_MS || gap.givenUp.length > 0;
}
