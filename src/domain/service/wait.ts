import { addMilliseconds } from 'date-fns';
import type { FreeText } from '../text/free-text.ts';

/**
 * How a digest or delay step waits, in every form of the contract ("DigestMetadata", "DigestRegular", "DigestTimed", "DelayRegular",
 * "DelayScheduled"). What the service leaves out is null or empty.
 */
export interface Wait {
  /** regular, backoff, timed, scheduled, or an unknown one. */
  readonly type: string | null;
  /** The length in milliseconds; null for a wait that ends at a time. */
  readonly ms: number | null;
  /** A digest with a back-off collects only if another event came at most this long before. Milliseconds. */
  readonly backoffMs: number | null;
  /** When it ends, if the service or the payload's date says so. */
  readonly until: Date | null;
  /** The times of a timed digest. */
  readonly schedule: Schedule | null;
  /** The payload field by whose value a digest groups what it collects. */
  readonly collectsBy: FreeText | null;
  /** How many events a digest has collected. */
  readonly collected: number | null;
  /** Whether a later event replaces the waiting one. */
  readonly isUpdated: boolean;
  /** The payload field with the date of a scheduled delay. */
  readonly dateField: FreeText | null;
}

/** When a timed digest is sent (contract, "TimedConfig"), in the service's own words. */
export interface Schedule {
  /** '09:00' */
  readonly atTime: FreeText | null;
  /** monday … sunday */
  readonly weekDays: readonly FreeText[];
  readonly monthDays: readonly FreeText[];
  /** each, on */
  readonly monthlyType: FreeText | null;
  /** 1 … 5, last */
  readonly ordinal: FreeText | null;
  /** day, weekday, weekend, sunday … saturday */
  readonly ordinalValue: FreeText | null;
  readonly cron: FreeText | null;
}

/** The longest wait assumed for a delayed step that doesn't say how long it waits. */
const UNSTATED_WAIT_MS = 7 * 24 * 60 * 60_000;

/**
 * Returns when a waiting step should continue, given its last sign of life. A step whose wait was extended to fit its subscriber's schedule
 * waits longer than it says, for an unknown time.
 */
export function goesOnAt(
  { wait, scheduleExtensions }: { readonly wait: Wait | null; readonly scheduleExtensions: number },
  lastSign: Date,
): Date {
  const stated = scheduleExtensions > 0 ? null : (wait?.until ?? null);
  if (stated !== null) return stated;
  const waitMs = scheduleExtensions > 0 ? UNSTATED_WAIT_MS : (wait?.ms ?? UNSTATED_WAIT_MS);
  return addMilliseconds(lastSign, waitMs);
}
