import { doubled } from '../lib/time/waiting.ts';

export const LONGEST_CALL_MS = 10_000;

export const NAMES_WITHIN_MS = 2_000;

/** Then another replica claims the message and looks for it before it posts. */
export const POSTING_LEASE_MS = 30_000;

/** A post, with names and two calls, then ends before its lease. */
export const BEGIN_WITHIN_MS = POSTING_LEASE_MS - NAMES_WITHIN_MS - 2 * LONGEST_CALL_MS;

export const LOOK_AGAIN_MS = 3_000;

const FIRST_RETRY_MS = 2_000;

export const LONGEST_RETRY_MS = 5 * 60_000;

export function pauseBeforePost(attempt: number): number {
  return doubled(FIRST_RETRY_MS, attempt - 1, LONGEST_RETRY_MS);
}

export const RETRY_EDIT_MS = 30_000;

export const TRY_EDIT_EVERY_MS = 30 * 60_000;

export function pauseBeforeEdit(attempt: number): number {
  return doubled(RETRY_EDIT_MS, attempt - 1, TRY_EDIT_EVERY_MS);
}

/** Slack takes 50 a minute and workspace (`chat.update`, tier 3); the rest is for tests, clicks and other replicas. */
export const EDITS_A_MINUTE = 30;

/** Leaves room for what people wait for. */
export const COUNTS_A_MINUTE = 20;

export const EDIT_LEASE_MS = 30_000;

export const COUNTS_EVERY_MS = 60_000;
export const CALM_EVERY_MS = 5 * 60_000;
