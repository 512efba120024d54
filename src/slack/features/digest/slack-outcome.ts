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
    if (FROZEN_MESSAGE.has(reason) || BLOCK_TROUBLE.has(reason)) return { outcome: 'frozen', reason, scope: 'message' };
    if (reason === 'is_inactive' || SHUT_OUT.has(reason)) return { outcome: 'frozen', reason, scope: 'channel' };
    return { outcome: 'later', reason, fix: fixOf(reason) };
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

/** Slack's error codes for a message that can never be edited again (`chat.update`, errors); a newer one may still be editable. */
const FROZEN_MESSAGE = new Set(['cant_update_message', 'edit_window_closed', 'block_mismatch']);

/** Slack's error codes for an app that somebody has to set up again before anything can be sent. */
const NEEDS_SETUP = new Set([
  ...['missing_scope', 'invalid_auth', 'not_authed', 'not_allowed_token_type', 'token_revoked', 'token_expired'],
  ...['account_inactive', 'access_denied', 'team_access_not_granted'],
]);
const SETUP =
  'check SLACK_BOT_TOKEN; if it is right, install the Slack app again from manifest.yml, without token rotation, and set its new token';

function fixOf(reason: string): string | null {
  return NEEDS_SETUP.has(reason) ? SETUP : null;
}

const UNKNOWN = { outcome: 'unknown' } as const;

function refusal(reason: string): Exclude<PostOutcome, { outcome: 'posted' }> {
  if (MAYBE_DONE.has(reason)) return UNKNOWN;
  if (NO_THREAD.has(reason)) return { outcome: 'no-thread', reason };
  const why = SHUT_OUT.get(reason);
  return why === undefined ? notPosted(reason, fixOf(reason)) : { outcome: 'shut-out', reason, why };
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
