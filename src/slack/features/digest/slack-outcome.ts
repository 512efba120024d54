import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api';
import type { EditOutcome, PostOutcome, Search } from '../../../digests/deliver.ts';
import { wasNeverConnected } from '../../../lib/text/system-code.ts';
import type { WatchEnd } from '../../../watches/settings.ts';
import { PASSING_ERRORS } from '../../router/calls.ts';

/** Rethrows errors that aren't Slack's. */
export function postFailure(error: unknown): Exclude<PostOutcome, { outcome: 'posted' }> {
  if (error instanceof WebAPIRateLimitedError) return rateLimited(error);
  if (error instanceof WebAPIPlatformError) return refusal(error.data.error);
  if (error instanceof WebAPIHTTPError) return error.statusCode < 500 ? notPosted(`HTTP ${error.statusCode}`) : UNKNOWN;
  if (error instanceof WebAPIRequestError)
    return wasNeverConnected(error.original) ? notPosted("Slack can't be reached") : UNKNOWN;
  throw error;
}

/** Rethrows errors that aren't Slack's. */
export function editFailure(error: unknown): Exclude<EditOutcome, { shownHash: string }> {
  if (error instanceof WebAPIRateLimitedError) return rateLimited(error);
  if (error instanceof WebAPIPlatformError) {
    const reason = error.data.error;
    if (reason === 'message_not_found') return { outcome: 'deleted', reason };
    const scope = refusedScope(reason);
    if (scope !== null) return { outcome: 'frozen', reason, scope };
    return { outcome: 'later', reason, fix: FIXES.get(reason) ?? null };
  }
  return { outcome: 'later', reason: troubleOf(error), fix: null };
}

/** Rethrows errors that aren't Slack's. */
export function findFailure(error: unknown): Exclude<Search, { found: 'yes' | 'no' }> {
  if (error instanceof WebAPIRateLimitedError) {
    return { found: 'not-now', reason: 'ratelimited', retryAfterMs: error.retryAfter * 1000 };
  }
  if (error instanceof WebAPIPlatformError) {
    const reason = error.data.error;
    return PASSING_ERRORS.has(reason)
      ? { found: 'not-now', reason, retryAfterMs: null }
      : { found: 'cannot-read', reason };
  }
  return { found: 'not-now', reason: troubleOf(error), retryAfterMs: null };
}

/** The text alone may still be accepted. */
export function isAboutBlocks(error: unknown): boolean {
  return error instanceof WebAPIPlatformError && BLOCK_TROUBLE.has(error.data.error);
}

const BLOCK_TROUBLE = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  'msg_too_long',
  'invalid_attachments',
]);

/** Error codes for which Slack's documentation says that part of the operation may have succeeded. */
const MAYBE_DONE = new Set(['fatal_error', 'internal_error']);

/** Slack's error codes for a channel or a person that doesn't accept Notif's messages. */
const SHUT_OUT: ReadonlyMap<string, WatchEnd> = new Map([
  ['is_archived', 'channel-archived'],
  ['not_in_channel', 'channel-left'],
  ['channel_not_found', 'channel-unknown'],
  ['user_not_found', 'channel-unknown'],
  ['user_disabled', 'channel-unknown'],
  ['restricted_action', 'channel-restricted'],
  ['restricted_action_read_only_channel', 'channel-restricted'],
  ['restricted_action_thread_only_channel', 'channel-restricted'],
  ['messages_tab_disabled', 'channel-restricted'],
]);

/** Slack's error codes for a thread that doesn't accept replies, or whose message is gone. */
const NO_THREAD = new Set([
  'cannot_reply_to_message',
  'invalid_thread_ts',
  'thread_not_found',
  'restricted_action_non_threadable_channel',
]);

/**
 * Slack's error codes for a message that exists but can never be edited again (`chat.update`, errors). Its time for edits is over; a newer
 * message in the same channel may still be editable.
 */
const FROZEN_MESSAGE = new Set(['cant_update_message', 'edit_window_closed', 'block_mismatch']);

function refusedScope(reason: string): 'message' | 'channel' | null {
  if (FROZEN_MESSAGE.has(reason) || BLOCK_TROUBLE.has(reason)) return 'message';
  return reason === 'is_inactive' || SHUT_OUT.has(reason) ? 'channel' : null;
}

/** What someone has to fix in the app before anything can be sent, by Slack's error code. */
const FIXES: ReadonlyMap<string, string> = new Map([
  ['missing_scope', 'install the Slack app again from manifest.yml: a scope is missing'],
  ['invalid_auth', 'check SLACK_BOT_TOKEN'],
  ['not_authed', 'check SLACK_BOT_TOKEN'],
  ['not_allowed_token_type', 'set SLACK_BOT_TOKEN to the token that begins with xoxb-'],
  ['token_revoked', 'install the Slack app again and set the new SLACK_BOT_TOKEN'],
  ['token_expired', 'turn token rotation off in the Slack app and set the new SLACK_BOT_TOKEN'],
  ['account_inactive', 'install the Slack app again: it was removed from the workspace'],
  ['access_denied', 'let the workspace allow the Slack app: an administrator has restricted it'],
  ['team_access_not_granted', 'let the workspace allow the Slack app: an administrator has not granted it'],
]);

const UNKNOWN = { outcome: 'unknown' } as const;

function refusal(reason: string): Exclude<PostOutcome, { outcome: 'posted' }> {
  if (MAYBE_DONE.has(reason)) return UNKNOWN;
  if (NO_THREAD.has(reason)) return { outcome: 'no-thread', reason };
  const why = SHUT_OUT.get(reason);
  return why === undefined ? notPosted(reason, FIXES.get(reason)) : { outcome: 'shut-out', reason, why };
}

function notPosted(reason: string, fix: string | null = null) {
  return { outcome: 'not-posted', reason, fix } as const;
}

function rateLimited(error: WebAPIRateLimitedError) {
  return { outcome: 'rate-limited', retryAfterMs: error.retryAfter * 1000 } as const;
}

/** Rethrows errors that aren't Slack's. */
function troubleOf(error: unknown): string {
  if (error instanceof WebAPIHTTPError) return `HTTP ${error.statusCode}`;
  if (error instanceof WebAPIRequestError) {
    return wasNeverConnected(error.original) ? "Slack can't be reached" : 'the answer was lost';
  }
  throw error;
}
