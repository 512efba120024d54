import { WebAPIPlatformError } from '@slack/web-api';

/** Slack's error codes for an interaction whose three seconds for opening a modal are over. */
const TOO_LATE = new Set(['expired_trigger_id', 'exchanged_trigger_id', 'invalid_trigger_id', 'trigger_expired']);

/** Returns whether a modal couldn't be opened because the interaction's three seconds are over or were used for another modal. */
export function isTooLate(error: unknown): boolean {
  return error instanceof WebAPIPlatformError && TOO_LATE.has(error.data.error);
}
