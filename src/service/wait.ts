import { addMilliseconds } from 'date-fns';

/** How a digest or delay step waits (contract, "DigestMetadata"). What the service leaves out is null. */
export interface Wait {
  /** regular, backoff, timed (a digest at set times), scheduled (a delay until a date of the payload), or an unknown one. */
  readonly type: string | null;
  /** The length in milliseconds; null for a wait that ends at a time. */
  readonly ms: number | null;
  /** When it ends, if the service or the payload's date says so. */
  readonly until: Date | null;
  readonly collected: number | null;
}

/** The longest wait assumed for a delayed step that doesn't say how long it waits. */
const UNSTATED_WAIT_MS = 7 * 24 * 60 * 60_000;

/** A step whose wait was extended to fit its subscriber's schedule waits longer than it says, for an unknown time. */
export function goesOnAt(
  { wait, scheduleExtensions }: { readonly wait: Wait | null; readonly scheduleExtensions: number },
  lastSign: Date,
): Date {
  const stated = scheduleExtensions > 0 ? null : (wait?.until ?? null);
  if (stated !== null) return stated;
  const waitMs = scheduleExtensions > 0 ? UNSTATED_WAIT_MS : (wait?.ms ?? UNSTATED_WAIT_MS);
  return addMilliseconds(lastSign, waitMs);
}
