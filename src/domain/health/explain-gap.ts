import type { Environment } from '../environment.ts';
import type { GapCause } from '../polling/gap.ts';

/** Why an environment was not read, worded to continue a sentence, and what to do about it; null if it passes by itself. */
export interface GapReason {
  readonly why: string;
  readonly next: string | null;
}

/** A gap knows only the kind of its problem. */
const DETAILS = 'Run /notif status for details.';

/** Words what kept an environment from being read: one entry for each row of the field notes' table "Transport", and for downtime. */
export function explainGap(
  cause: GapCause,
  { apiUrlVariable, apiKeyVariable }: Pick<Environment, 'apiUrlVariable' | 'apiKeyVariable'>,
): GapReason {
  switch (cause) {
    case 'not-running':
      return { why: "Notif wasn't running", next: null };
    case 'key-refused':
      return {
        why: "the API key was refused, or doesn't allow this",
        next: `Check ${apiKeyVariable}. ${DETAILS}`,
      };
    case 'beyond-plan':
      return { why: "that time is past the plan's retention (402)", next: null };
    case 'refused':
      return {
        why: 'the service refused the request',
        next: "Contact the people who run Notif: its log has the service's words.",
      };
    case 'too-large':
      return { why: 'the request was too large for the service (413)', next: 'Contact the people who run Notif.' };
    case 'still-running':
      return { why: 'the service said that the same request is running (409)', next: null };
    case 'rate-limited':
      return {
        why: "the service's rate limit was used up (429)",
        next: 'Raise NOTIF_POLL_SECONDS, or get a larger plan.',
      };
    case 'service-error':
      return { why: 'the service reported an error of its own', next: "If it persists, contact the service's owners." };
    case 'gateway':
      return {
        why: 'a gateway in front of the service answered instead',
        next: `If it persists, contact the service's owners, or check ${apiUrlVariable}.`,
      };
    case 'unreadable':
      return { why: "the service's responses couldn't be read", next: DETAILS };
    case 'no-progress':
      return {
        why: "the service's list repeated the same events",
        next: "If it persists, report it to the service's owners.",
      };
    case 'timed-out':
      return { why: "the service didn't answer in time", next: "If it persists, contact the service's owners." };
    case 'unreachable':
      return { why: 'there was no connection to the service', next: `Check ${apiUrlVariable} and the network.` };
    case 'busy':
      return { why: 'too many requests to the service were queued', next: null };
  }
}
