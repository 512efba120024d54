import { addMilliseconds } from 'date-fns';
import { DAY_MS } from '../time/durations.ts';

/** How often the creators of watches are looked up. */
export const CHECK_CREATORS_MS = DAY_MS;

/** Returns when a watch whose creator is gone ends: after a week, since ending it at once would leave its channel without alerts. */
export function orphanEndsAt(orphanedAt: Date): Date {
  return addMilliseconds(orphanedAt, 7 * DAY_MS);
}
