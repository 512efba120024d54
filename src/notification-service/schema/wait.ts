import { z } from 'zod';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Contract, DigestRegular's and DelayRegular's `unit`. A month is the longest one, so that no step is called late too early. */
const UNIT_MS = new Map([
  ['seconds', SECOND_MS],
  ['minutes', MINUTE_MS],
  ['hours', HOUR_MS],
  ['days', DAY_MS],
  ['weeks', 7 * DAY_MS],
  ['months', 31 * DAY_MS],
]);

const Wait = z.object({ amount: z.number().nonnegative(), unit: z.string() });

/**
 * How long a digest or delay step waits, in milliseconds, from a job's `digest` or its step's `metadata`; null where neither
 * gives an amount and a known unit (a timed digest, a delay until a date in the payload).
 */
export function waitOf(metadata: unknown): number | null {
  if (metadata === undefined || metadata === null) return null;
  const wait = Wait.safeParse(metadata);
  const unitMs = wait.success ? UNIT_MS.get(wait.data.unit) : undefined;
  return wait.success && unitMs !== undefined ? wait.data.amount * unitMs : null;
}
