import { expect, test } from 'vitest';
import { anEnvironment } from '../lib/environment.testing.ts';
import type { GapCause } from '../polling/gap.ts';
import { explainGap } from './explain.ts';

const OWNERS = "If it persists, contact the service's owners";

test.each<[GapCause, why: string, next: string | null]>([
  ['not-running', "Notif wasn't running", null],
  [
    'key-refused',
    "the API key was refused, or doesn't allow this",
    'Check NOTIF_PRODUCTION_API_KEY. Run /notif status for details.',
  ],
  ['beyond-plan', "that time is past the plan's retention (402)", null],
  ['refused', 'the service refused the request', "Contact the people who run Notif: its log has the service's words."],
  ['too-large', 'the request was too large for the service (413)', 'Contact the people who run Notif.'],
  ['still-running', 'the service said that the same request is running (409)', null],
  ['rate-limited', "the service's rate limit was used up (429)", 'Raise NOTIF_POLL_SECONDS, or get a larger plan.'],
  ['service-error', 'the service reported an error of its own', `${OWNERS}.`],
  ['gateway', 'a gateway in front of the service answered instead', `${OWNERS}, or check NOTIF_PRODUCTION_API_URL.`],
  ['unreadable', "the service's responses couldn't be read", 'Run /notif status for details.'],
  ['no-progress', "the service's list repeated the same events", "If it persists, report it to the service's owners."],
  ['timed-out', "the service didn't answer in time", `${OWNERS}.`],
  ['unreachable', 'there was no connection to the service', 'Check NOTIF_PRODUCTION_API_URL and the network.'],
  ['busy', 'too many requests to the service were queued', null],
])('explains a gap by %s', (cause, why, next) => {
  expect(explainGap(cause, anEnvironment())).toEqual({ why, next });
});
