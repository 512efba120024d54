import { WebAPIPlatformError } from '@slack/web-api';

/** Slack's error codes for an interaction whose three seconds for opening a modal are over. */
const TOO_LATE = new Set(['expired_trigger_id', 'exchanged_trigger_id', 'invalid_trigger_id', 'trigger_expired']);

/** Or if the three seconds were used for another modal. */
export function isTooLate(error: unknown): boolean {
  return error instanceof WebAPIPlatformError && TOO_LATE.has(error.data.error);
}
