/** Slack's error codes for its own temporary problems: the same call can succeed later. */
export const PASSING_ERRORS: ReadonlySet<string> = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'ratelimited',
  'rate_limited',
]);
