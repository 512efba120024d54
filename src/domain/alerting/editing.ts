/**
 * Messages are edited at most this often in a minute, over all replicas. Slack takes 50 of a workspace (`chat.update`, tier 3); the
 * others are left to the course of tests and to whatever people click.
 */
export const EDITS_A_MINUTE = 30;

/** Edits that only count on leave room for those that people wait for: what somebody acknowledged or muted, what has recovered. */
export const COUNTS_A_MINUTE = 20;

/** A message that counts on is edited at most once in this time. */
export const EDIT_EVERY_MS = 30_000;

/** Whoever edits a message is given this long to say how it went; afterwards it counts as dead, and the message is drawn again. */
export const EDIT_LEASE_MS = 30_000;

/** In a channel that takes no edits one is tried this often, to find out whether it does again. */
export const TRY_EDIT_EVERY_MS = 30 * 60_000;

/** Which edits are free, after so many in the last minute. */
export function freeEdits(inLastMinute: number): 'all' | 'state changes' | 'none' {
  if (inLastMinute >= EDITS_A_MINUTE) return 'none';
  return inLastMinute >= COUNTS_A_MINUTE ? 'state changes' : 'all';
}

/** While an incident is open, its row is drawn again this often; less often where it has not failed for `LIVELY_MS`. */
export const REDRAWN_EVERY_MS = 60_000;
export const LIVELY_MS = 10 * 60_000;
export const CALM_REDRAWN_EVERY_MS = 5 * 60_000;
