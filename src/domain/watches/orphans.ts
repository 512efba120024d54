import { DAY_MS } from '../time/durations.ts';

/** The creators of watches are looked up once in this time. */
export const CHECK_CREATORS_MS = DAY_MS;

/** A watch whose creator is gone goes on for a week: ended at once, it would leave its channel blind. */
export function orphanEndsAt(orphanedAt: Date): Date {
  return new Date(orphanedAt.getTime() + 7 * DAY_MS);
}
