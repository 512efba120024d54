import type { FreeText } from '../text/free-text.ts';

/**
 * How a digest or delay step waits, in every shape that the contract has for it ("DigestMetadata", "DigestRegular", "DigestTimed",
 * "DelayRegular", "DelayScheduled"). What the service leaves out is null or empty.
 */
export interface Wait {
  /** regular, backoff, timed, scheduled, or one not known yet. */
  readonly type: string | null;
  /** How long; null for a wait that ends at a time. Milliseconds. */
  readonly ms: number | null;
  /** A digest with a back-off collects only where another event came this long before. Milliseconds. */
  readonly backoffMs: number | null;
  /** When it ends, where the service or the payload's date says so. */
  readonly until: Date | null;
  /** The times of a timed digest. */
  readonly schedule: Schedule | null;
  /** The field of the payload by whose value a digest tells its collections apart. */
  readonly collectsBy: FreeText | null;
  /** How many events a digest has collected. */
  readonly collected: number | null;
  /** A later event takes the place of the one that waits. */
  readonly isUpdated: boolean;
  /** The field of the payload that holds the date of a scheduled delay. */
  readonly dateField: FreeText | null;
}

/** When a timed digest is sent (contract, "TimedConfig"): the service's own words. */
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

/** The longest wait that is believed of a delayed step which does not say how long it waits. */
const UNTOLD_WAIT_MS = 7 * 24 * 60 * 60_000;

/**
 * When a waiting step should go on, given when it last gave a sign of life. One whose wait was extended, to fit its subscriber's
 * schedule, waits longer than it says; nobody knows for how long.
 */
export function goesOnAt(
  { wait, scheduleExtensions }: { readonly wait: Wait | null; readonly scheduleExtensions: number },
  lastSign: Date,
): Date {
  const told = scheduleExtensions > 0 ? null : (wait?.until ?? null);
  if (told !== null) return told;
  const waitMs = scheduleExtensions > 0 ? UNTOLD_WAIT_MS : (wait?.ms ?? UNTOLD_WAIT_MS);
  return new Date(lastSign.getTime() + waitMs);
}
