import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api';
import type { EditOutcome, Finding, PostOutcome } from '../../use-cases/deliver-digests.ts';

/** What a failed post amounts to; it throws what is not Slack's error. */
export function postFailure(error: unknown): Exclude<PostOutcome, { outcome: 'posted' }> {
  if (error instanceof WebAPIRateLimitedError) return notPosted('rate limited', error.retryAfter * 1000);
  if (error instanceof WebAPIPlatformError) return refusal(error.data.error);
  if (error instanceof WebAPIHTTPError) return error.statusCode < 500 ? notPosted(`HTTP ${error.statusCode}`) : UNKNOWN;
  if (error instanceof WebAPIRequestError) return wasNeverSent(error) ? notPosted('Slack can not be reached') : UNKNOWN;
  throw error;
}

/** What a failed edit amounts to: the message can't be edited any more, or not just now. Throws what is not Slack's error. */
export function editFailure(error: unknown): Extract<EditOutcome, { reason: string }> {
  if (!(error instanceof WebAPIPlatformError)) {
    const failure = postFailure(error);
    return { outcome: 'later', reason: failure.outcome === 'unknown' ? 'the answer was lost' : failure.reason };
  }
  const reason = error.data.error;
  return GONE.has(reason) ? { outcome: 'gone', reason } : { outcome: 'later', reason };
}

/** What it means that a channel's history could not be read: not just now, or not at all. Throws what is not Slack's error. */
export function findFailure(error: unknown): Extract<Finding, { reason: string }> {
  if (error instanceof WebAPIPlatformError && !PASSING.has(error.data.error)) {
    return { found: 'cannot-read', reason: error.data.error };
  }
  const { reason } = editFailure(error);
  return { found: 'not-now', reason };
}

/** Slack's words for its own trouble, which passes. */
const PASSING = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'ratelimited',
  'rate_limited',
]);

/** Slack's words for blocks that it does not take, which words alone may still pass. */
export function isAboutBlocks(error: unknown): boolean {
  return error instanceof WebAPIPlatformError && BLOCK_TROUBLE.has(error.data.error);
}

const BLOCK_TROUBLE = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  'invalid_attachments',
]);

const GONE = new Set([
  'message_not_found',
  'channel_not_found',
  'cant_update_message',
  'edit_window_closed',
  'is_inactive',
  'is_archived',
  'not_in_channel',
  'block_mismatch',
  ...BLOCK_TROUBLE,
]);

/** Slack's documentation says of these that part of the operation may have succeeded. */
const MAYBE_DONE = new Set(['fatal_error', 'internal_error']);

/** What somebody has to do before a post can succeed, by Slack's word. */
const MENDS: ReadonlyMap<string, string> = new Map([
  ['not_in_channel', 'invite Notif to the channel: /invite @Notif'],
  ['channel_not_found', 'check the channel id, and invite Notif if the channel is private'],
  ['is_archived', 'unarchive the channel, or name another one'],
  ['restricted_action', 'let Notif post in the channel: its posting permissions forbid it'],
  ['restricted_action_read_only_channel', 'let Notif post in the channel: it is read-only'],
  ['missing_scope', 'install the Slack app again from manifest.yml: a scope is missing'],
  ['invalid_auth', 'check SLACK_BOT_TOKEN'],
  ['not_authed', 'check SLACK_BOT_TOKEN'],
  ['token_revoked', 'install the Slack app again and set the new SLACK_BOT_TOKEN'],
  ['token_expired', 'turn token rotation off in the Slack app and set the new SLACK_BOT_TOKEN'],
  ['account_inactive', 'install the Slack app again: it was removed from the workspace'],
]);

const UNKNOWN = { outcome: 'unknown' } as const;

function refusal(word: string): Exclude<PostOutcome, { outcome: 'posted' }> {
  if (MAYBE_DONE.has(word)) return UNKNOWN;
  return { outcome: 'not-posted', reason: word, retryAfterMs: null, mend: MENDS.get(word) ?? null };
}

function notPosted(reason: string, retryAfterMs: number | null = null) {
  return { outcome: 'not-posted', reason, retryAfterMs, mend: null } as const;
}

/** No connection was made, so nothing can have arrived. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

function wasNeverSent({ original }: WebAPIRequestError): boolean {
  return [original, original.cause].some(
    (one) => one instanceof Error && 'code' in one && NEVER_SENT.has(String(one.code)),
  );
}
