import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api';

/** Null if Slack refuses the call with one of `codes`. */
export function nullIfRefused<Answer>(codes: readonly string[], answer: Promise<Answer>): Promise<Answer | null> {
  return answer.catch((error: unknown) => {
    if (error instanceof WebAPIPlatformError && codes.includes(error.data.error)) return null;
    throw error;
  });
}

/** Slack's code, or why there is no answer. */
export function slackReason(error: unknown): string {
  if (error instanceof WebAPIPlatformError) return error.data.error;
  if (error instanceof WebAPIHTTPError) return `HTTP ${error.statusCode}`;
  return error instanceof WebAPIRateLimitedError ? 'ratelimited' : 'no answer';
}

export const UNKNOWN_PERSON: readonly string[] = ['user_not_found', 'user_not_visible'];

/** A call with one of these may have gone through. */
export const LOST_ERRORS: readonly string[] = ['fatal_error', 'internal_error'];

/** A later call can succeed. */
export const PASSING_ERRORS: readonly string[] = [
  'service_unavailable',
  'request_timeout',
  'ratelimited',
  'rate_limited',
];

/** Slack may accept plainer blocks. */
export const BLOCK_ERRORS: readonly string[] = [
  'invalid_blocks',
  'invalid_blocks_format',
  'invalid_attachments',
  'msg_blocks_too_long',
  'msg_too_long',
];

/** Calls fail until an admin of Notif replaces its token, or gives it a scope. */
export const TOKEN_ERRORS: readonly string[] = [
  'invalid_auth',
  'not_authed',
  'token_revoked',
  'token_expired',
  'account_inactive',
  'user_removed_from_team',
  'team_disabled',
  'not_allowed_token_type',
  'missing_scope',
];

/** Whether Slack takes no call with the token. */
export const isTokenRefused = (code: string): boolean => code !== 'missing_scope' && TOKEN_ERRORS.includes(code);

/** A refusal that no retry changes. */
export class SlackRefusedError extends Error {
  override readonly name = 'SlackRefusedError';
  readonly problem: string;
  readonly code: string;
  readonly next: string;

  constructor(problem: string, { code, next, cause }: { code: string; next: string; cause?: unknown }) {
    super(`${problem}. Next: ${next}`, { cause });
    this.problem = problem;
    this.code = code;
    this.next = next;
  }
}
