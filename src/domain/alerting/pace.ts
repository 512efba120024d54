import { doubled } from '../time/doubled.ts';

/** How often messages are posted, edited and retried. Every such time is here, and nowhere else. */

/**
 * A replica has this long to post a message that it claimed, by the database's clock. Afterwards another replica claims the message and
 * looks for it in its channel before it posts. Longer than a post can take, and short enough that a crash costs half a minute.
 */
export const POSTING_LEASE_MS = 30_000;

/**
 * A post is begun at most this long after its claim. With two seconds for names and the ten that each of its two calls may take (blocks,
 * then text alone) it ends before the claim does, so that nobody looks for the message before it can be there.
 */
export const BEGIN_WITHIN_MS = 8_000;

/** After a lost answer Slack gets this long before its history is asked. */
export const LOOK_AGAIN_MS = 3_000;

const FIRST_RETRY_MS = 2_000;

/** A channel that takes no messages from Notif is tried this often. */
export const LONGEST_RETRY_MS = 5 * 60_000;

/** The pause before a post is tried again, after so many attempts: doubled with each, up to `LONGEST_RETRY_MS`. */
export function pauseBeforePost(attempt: number): number {
  return doubled(FIRST_RETRY_MS, attempt - 1, LONGEST_RETRY_MS);
}

/** The pause after an edit that failed for now, and the first one after an edit that failed unexpectedly. */
export const RETRY_EDIT_MS = 30_000;

/** The pause of all edits while somebody has to fix the app's setup. */
export const UNTIL_FIXED_MS = 5 * 60_000;

const LONGEST_EDIT_RETRY_MS = 30 * 60_000;

/** The pause after an edit that failed unexpectedly, after so many attempts: doubled with each, up to half an hour. */
export function pauseBeforeEdit(attempt: number): number {
  return doubled(RETRY_EDIT_MS, attempt - 1, LONGEST_EDIT_RETRY_MS);
}

/**
 * Messages are edited at most this often in a minute, over all replicas. Slack takes 50 of a workspace (`chat.update`, tier 3); the
 * others are left to the progress of tests and to what people click.
 */
export const EDITS_A_MINUTE = 30;

/** Edits of counts leave room for the edits that people wait for: what somebody acknowledged or muted, what has recovered. */
export const COUNTS_A_MINUTE = 20;

/** A message whose counts change is edited at most once in this time. */
export const EDIT_EVERY_MS = 30_000;

/** A replica has this long to edit a message that it claimed; afterwards the edit is claimed again. */
export const EDIT_LEASE_MS = 30_000;

/** In a channel that takes no edits one is tried this often, to find out whether it does again. */
export const TRY_EDIT_EVERY_MS = 30 * 60_000;

/** Which edits are free, after so many in the last minute. */
export function freeEdits(inLastMinute: number): 'all' | 'state changes' | 'none' {
  if (inLastMinute >= EDITS_A_MINUTE) return 'none';
  return inLastMinute >= COUNTS_A_MINUTE ? 'state changes' : 'all';
}

/** While an incident is open, its row is redrawn this often; less often where it has not failed for `LIVELY_MS`. */
export const REDRAWN_EVERY_MS = 60_000;
export const LIVELY_MS = 10 * 60_000;
export const CALM_REDRAWN_EVERY_MS = 5 * 60_000;
