import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  type WebClient,
} from '@slack/web-api';
import { wasNeverConnected } from '../../../lib/errors.ts';
import { CHANNEL_REFUSALS } from '../../../lib/refusals.ts';
import { isPerson } from '../../../lib/workspace.ts';
import type { EditOutcome, PostOutcome, Refused, Search } from '../../../outbox/kinds.ts';
import { BLOCK_ERRORS, LOST_ERRORS, PASSING_ERRORS, TOKEN_ERRORS, UNKNOWN_PERSON } from '../../slack-errors.ts';

/** What Slack's words mean for a message; the first that has the word counts. */
const TROUBLES = [
  // The call may have had its effect.
  ['lost', LOST_ERRORS],
  // It is tried again.
  ['passing', [...PASSING_ERRORS, 'update_failed', 'external_channel_migrating', 'message_limit_exceeded']],
  // There is no thread to post in, or nobody may.
  ['no-thread', ['cannot_reply_to_message', 'invalid_thread_ts', 'thread_not_found']],
  ['no-thread', ['restricted_action_thread_locked', 'restricted_action_non_threadable_channel']],
  // Slack refuses such an edit for good; a newer message may be editable.
  ['frozen', [...BLOCK_ERRORS, 'cant_update_message', 'edit_window_closed', 'block_mismatch']],
  ['deleted', ['message_not_found']],
  // The channel refuses whatever Notif posts: `CHANNEL_REFUSALS`.
  ['channel-archived', ['is_archived', 'is_inactive']],
  ['channel-left', ['not_in_channel']],
  ['channel-unknown', ['channel_not_found', ...UNKNOWN_PERSON, 'user_disabled', 'cannot_dm_bot']],
  ['channel-restricted', ['restricted_action', 'restricted_action_read_only_channel', 'messages_tab_disabled']],
  ['channel-restricted', ['restricted_action_thread_only_channel']],
  // Somebody has to change the app or the workspace.
  ['setup', [...TOKEN_ERRORS, 'access_denied', 'app_access_restricted', 'team_access_not_granted', 'no_permission']],
  ['setup', ['accesslimited', 'ekm_access_denied', 'enterprise_is_restricted', 'org_login_required']],
] as const;

const SETUP = 'check SLACK_BOT_TOKEN, or install the Slack app again from manifest.yml, without token rotation';

/** Why Slack refused a call, or that nobody knows whether it did. */
interface Failed {
  /** 'unlisted': Slack's word is none of `TROUBLES`. */
  trouble: (typeof TROUBLES)[number][0] | 'unlisted';
  /** Slack's word, or what is known instead. */
  reason: string;
  retryAfterMs: number | null;
}

/** Why a message was refused. Of a direct message, Slack's word could be about the token, too: that is asked. */
export async function failureOn(channel: string, error: unknown, { auth }: Pick<WebClient, 'auth'>): Promise<Failed> {
  const failed = failureOf(error);
  if (failed.trouble !== 'setup' || !isPerson(channel)) return failed;
  const isTokenAccepted = await auth.test().then(
    () => true,
    () => false,
  );
  return isTokenAccepted ? { ...failed, trouble: 'unlisted' } : failed;
}

/** Throws what is no failure of a call of Slack. */
export function failureOf(error: unknown): Failed {
  const failed = (trouble: Failed['trouble'], reason: string) => ({ trouble, reason, retryAfterMs: null });
  if (error instanceof WebAPIRateLimitedError)
    return { ...failed('passing', 'ratelimited'), retryAfterMs: error.retryAfter * 1000 };
  if (error instanceof WebAPIPlatformError) {
    const word = error.data.error;
    const [trouble] = TROUBLES.find(([, words]) => words.some((known) => known === word)) ?? ['unlisted' as const];
    return failed(trouble, word);
  }
  if (error instanceof WebAPIHTTPError)
    return failed(error.statusCode < 500 ? 'passing' : 'lost', `HTTP ${error.statusCode}`);
  if (!(error instanceof WebAPIRequestError)) throw error;
  if (wasNeverConnected(error.original)) return failed('passing', "Slack can't be reached");
  return failed('lost', 'the answer was lost');
}

export function postFailure(failed: Failed, channel: string): PostOutcome {
  const { trouble, reason } = failed;
  if (trouble === 'lost') return { is: 'unanswered' };
  if (trouble === 'no-thread') return { is: trouble, reason };
  const why = CHANNEL_REFUSALS.find((refusal) => refusal === trouble);
  if (isPerson(channel) && (trouble === 'unlisted' || why !== undefined)) return { is: 'unreachable', reason };
  if (trouble === 'unlisted' || trouble === 'frozen') return { is: 'not-accepted', reason };
  return why === undefined ? refusal(failed) : { is: 'shut-out', reason, why };
}

export function editFailure(failed: Failed): EditOutcome {
  const { trouble, reason } = failed;
  if (trouble === 'deleted') return { is: trouble, reason };
  const isForGood = trouble === 'unlisted' || trouble === 'frozen' || trouble === 'no-thread';
  return isForGood ? { is: 'not-accepted', reason } : refusal(failed);
}

function refusal({ trouble, reason, retryAfterMs }: Failed): Refused {
  return { is: 'refused', reason, retryAfterMs, fix: trouble === 'setup' ? SETUP : null };
}

export function findFailure({ trouble, reason, retryAfterMs }: Failed): Search {
  const isTemporary = trouble === 'lost' || trouble === 'passing';
  return isTemporary ? { found: 'not-now', reason, retryAfterMs } : { found: 'no' };
}
