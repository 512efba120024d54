import { describe, expect, test } from 'vitest';
import { anEnvironment } from '../lib/environment.testing.ts';
import { OVERSIZED, ServiceError, type ServiceProblem } from '../lib/errors.ts';
import type { GapCause } from '../polling/gap.ts';
import { at, NOON } from '../service/event.testing.ts';
import { explainGap, explainReading, explainServiceProblem } from './explain.ts';
import { aHealth } from './health.testing.ts';
import type { ReadingCondition } from './status.ts';

const production = anEnvironment();

const later = 'Try again in a minute.';

const rows: readonly [problem: ServiceProblem, why: string, next: string][] = [
  [
    { kind: 'refused', status: 422, message: 'Validation Error.', fields: ['limit', 'page'] },
    'it refused the request (422): Validation Error.',
    'Check limit, page.',
  ],
  [
    { kind: 'refused', status: 400, message: '', fields: [] },
    'it refused the request (400).',
    'Change the request and try again.',
  ],
  [{ kind: 'key-refused', status: 401 }, 'the API key was refused (401).', 'Check NOTIF_PRODUCTION_API_KEY.'],
  [
    { kind: 'key-refused', status: 403, message: 'This address is not on the allow list' },
    "the API key doesn't allow this (403): This address is not on the allow list.",
    'Check the permissions of NOTIF_PRODUCTION_API_KEY.',
  ],
  [
    { kind: 'beyond-plan', message: 'Your plan keeps 30 days' },
    'the period asked for is beyond what its plan keeps (402): Your plan keeps 30 days.',
    'Ask for a more recent period.',
  ],
  [{ kind: 'still-running' }, 'the same request is still running there (409).', later],
  [
    { kind: 'too-large', message: 'At most 1 MB.' },
    'the request is larger than it takes (413): At most 1 MB.',
    'Ask for less: fewer or shorter values.',
  ],
  [{ kind: 'rate-limited', retryAfterMs: 4_200 }, 'its rate limit is used up (429).', 'Try again in 5 s.'],
  [{ kind: 'rate-limited', retryAfterMs: 5_400_000 }, 'its rate limit is used up (429).', 'Try again in 90 min.'],
  [
    { kind: 'rate-limited', retryAfterMs: 9_999_999_999_000 },
    'its rate limit is used up (429).',
    'Try again in a few minutes: it asks to wait for 115741 d, which may not be meant.',
  ],
  [
    { kind: 'service-error', status: 500, errorId: '8d1f' },
    'it reported an error of its own (500, error ID 8d1f).',
    "Try again in a minute; if it persists, contact the service's owners.",
  ],
  [
    { kind: 'service-error', status: 503, errorId: null },
    'it reported an error of its own (503).',
    "Try again in a minute; if it persists, contact the service's owners.",
  ],
  [{ kind: 'gateway', status: 500 }, 'a gateway in front of it answered instead (500).', later],
  [{ kind: 'gateway', status: 502 }, 'a gateway in front of it answered instead (502).', later],
  [
    { kind: 'gateway', status: 404 },
    'something else answered at its address (404).',
    'Check NOTIF_PRODUCTION_API_URL.',
  ],
  [
    { kind: 'gateway', status: 403 },
    'something in front of it refused the request (403).',
    'Check NOTIF_PRODUCTION_API_URL, and the firewall, VPN or sign-in proxy on the way to it.',
  ],
  [
    { kind: 'unreadable', status: 200, wrong: 'transactionId: expected string' },
    "its response (200) doesn't follow its contract (transactionId: expected string).",
    "Report it to the service's owners, if NOTIF_PRODUCTION_API_URL is the service's address.",
  ],
  [
    { kind: 'unreadable', status: 200, wrong: null },
    "the response (200) isn't from a Notification Service.",
    "Check NOTIF_PRODUCTION_API_URL; if it's right, contact the service's owners.",
  ],
  [
    { kind: 'unreadable', status: 200, wrong: OVERSIZED },
    'its response (200) has more than 32 MB.',
    "Report it to the service's owners, if NOTIF_PRODUCTION_API_URL is the service's address.",
  ],
  [
    { kind: 'no-progress', pages: 4 },
    'its list announces more events, but repeats the same ones (4 pages).',
    "Try a shorter period; if it persists, report it to the service's owners.",
  ],
  [{ kind: 'timed-out', afterMs: 10_000 }, "it didn't answer within 10 s.", later],
  [
    { kind: 'unreachable' },
    'there is no connection to it.',
    'Try again in a minute; if it persists, check NOTIF_PRODUCTION_API_URL and the network.',
  ],
  [{ kind: 'busy', waitedMs: 8_000 }, 'too many requests queued (waited 8 s).', 'Try again in a moment.'],
];

test.each(rows)('explains %o', (problem, why, next) => {
  const error = new ServiceError('production', 'listEvents', problem);
  expect(explainServiceProblem(error, production)).toEqual({ what: `Couldn't read from production: ${why}`, next });
});

test.each([
  ['triggerEvents', 'The test'],
  ['updateCredentials', 'The credentials update'],
])("claims neither success nor failure for %s if its outcome isn't known", (operation, subject) => {
  const problem: ServiceProblem = { kind: 'timed-out', afterMs: 10_000 };
  const error = new ServiceError('production', operation, problem, { outcomeUnknown: true });
  expect(explainServiceProblem(error, production)).toEqual({
    what: `No clear answer from production: it didn't answer within 10 s. ${subject} may or may not have gone through.`,
    next: 'Check before you retry.',
  });
});

test.each([
  ['triggerEvents', "Couldn't send the test to production"],
  ['updateCredentials', "Couldn't update the credentials in production"],
])('says what %s failed to change, and explains no 402 by a period', (operation, what) => {
  const problem: ServiceProblem = { kind: 'beyond-plan', message: 'Monthly limit of workflow runs reached' };
  expect(explainServiceProblem(new ServiceError('production', operation, problem), production)).toEqual({
    what: `${what}: its plan doesn't allow this (402): Monthly limit of workflow runs reached.`,
    next: "Check the plan's limits.",
  });
});

test.each([
  ['triggerEvents', { kind: 'still-running' }, 'Wait a minute, then check whether it went through.'],
  ['triggerEvents', { kind: 'too-large', message: '' }, 'Shorten the payload, or send fewer rows at once.'],
  ['updateCredentials', { kind: 'too-large', message: '' }, 'Shorten the credentials.'],
] as const)('says what to do about %s after %o', (operation, problem, next) => {
  const error = new ServiceError('production', operation, problem);
  expect(explainServiceProblem(error, production).next).toBe(next);
});

test.each(['retrieveEvent', 'listMessages', 'listTopicSubscriptions', 'listIntegrations'])(
  'explains no 402 by a period that %s has not',
  (operation) => {
    const problem: ServiceProblem = { kind: 'beyond-plan', message: 'Not in your plan' };
    expect(explainServiceProblem(new ServiceError('production', operation, problem), production)).toEqual({
      what: "Couldn't read from production: its plan doesn't allow this (402): Not in your plan.",
      next: "Check the plan's limits.",
    });
  },
);

test('says what a trigger costs if the rate limit is used up', () => {
  const error = new ServiceError('production', 'triggerEvents', { kind: 'rate-limited', retryAfterMs: 4_200 });
  expect(explainServiceProblem(error, production).next).toBe(
    'Try again in 5 s. A trigger costs as much of it as 100 other requests, however many events are in it.',
  );
});

test('a gap claims no more about its cause than is known from its kind', () => {
  expect(explainGap('unreadable', production)).toEqual({
    why: "the service's responses couldn't be read",
    next: 'Run /notif status for details.',
  });
  expect(explainGap('key-refused', production)).toEqual({
    why: "the API key was refused, or doesn't allow this",
    next: 'Check NOTIF_PRODUCTION_API_KEY. Run /notif status for details.',
  });
});

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

type Change = Parameters<typeof aHealth>[0];

const explained = (condition: ReadingCondition, change: Change | null = {}) =>
  explainReading({ environment: anEnvironment(), condition, health: change === null ? null : aHealth(change) }, NOON);

describe('what is wrong with the reading of an environment', () => {
  test.each<[ReadingCondition, Change]>([
    ['fine', {}],
    ['not-read-yet', {}],
    ['unknown', {}],
  ])('is nothing if it is %s', (condition, change) => {
    expect(explained(condition, change)).toBeNull();
  });

  test('is not known of an environment that was never read, except that polling waits for the database', () => {
    for (const condition of ['failing', 'silent', 'incomplete'] as const) {
      expect(explained(condition, null)).toBeNull();
    }
    expect(explained('waits-for-store', null)?.what).toBe('Polling waits for the database.');
  });

  test.each<[ReadingCondition, Change, what: string]>([
    ['waits-for-store', { lastSuccessAt: at(-180) }, 'Polling waits for the database. Last success 3 min ago.'],
    ['silent', { lastSuccessAt: at(-180) }, 'Polling has stalled without an error. Last success 3 min ago.'],
    ['silent', { lastSuccessAt: null }, 'Polling has stalled without an error.'],
    ['catching-up', { openGaps: 1, uncheckedMs: 180_000 }, '1 gap: 3 min still to be checked.'],
    ['catching-up', { openGaps: 2, uncheckedMs: 7_200_000 }, '2 gaps: 2 h still to be checked.'],
    [
      'late',
      { behindMs: 600_000 },
      'Checks for late failures are 10 min behind; they catch up when the rate limit allows.',
    ],
    ['failing', {}, 'Every poll has failed.'],
    ['failing', { failingSince: at(-300) }, 'Every poll has failed for 5 min.'],
    ['failing', { problem: { kind: 'unreachable' } }, "Couldn't read from production: there is no connection to it."],
    [
      'failing',
      { failingSince: at(-300), problem: { kind: 'unreachable' } },
      "Couldn't read from production: there is no connection to it. Failing for 5 min.",
    ],
  ])('is said for %s with %j', (condition, change, what) => {
    expect(explained(condition, change)?.what).toBe(what);
  });

  test.each<[Change, what: string]>([
    [{ unreadable: 1 }, "1 event of the last day couldn't be read"],
    [{ unreadable: 2, notRecoveredMs: 180_000 }, "2 events and 3 min of the last day couldn't be read"],
    [{ notRecoveredMs: 180_000 }, "3 min of the last day couldn't be read"],
  ])('is what was not read or recorded: %j', (change, what) => {
    expect(explained('incomplete', change)?.what).toBe(`${what}: failures there aren't reported.`);
  });
});

describe('what to do while the service wants a pause', () => {
  const paused = (retryAfterMs: number, failedAt: Date | null) =>
    explained('failing', {
      problem: { kind: 'rate-limited', retryAfterMs },
      failingSince: failedAt,
      lastPollAt: failedAt,
    })?.next;

  test.each([
    [0, 'Try again in 120 s.'],
    [-72, 'Try again in 48 s.'],
    [-119.5, 'Try again in 1 s.'],
    [5, 'Try again in 120 s.'],
    [-120, 'Notif tries again at its next poll.'],
    [-600, 'Notif tries again at its next poll.'],
  ])('names what is left of it %s s after the poll that failed', (seconds, next) => {
    expect(paused(120_000, at(seconds))).toBe(next);
  });

  test('names all of it if no poll is known', () => {
    expect(paused(120_000, null)).toBe('Try again in 120 s.');
  });
});

describe('what to do about the reading of an environment', () => {
  const STUCK = 'If it persists, look for "Loop failed" or "Loop timed out" in the log, then restart Notif.';

  test.each<[ReadingCondition, Change, next: string]>([
    [
      'waits-for-store',
      {},
      "It resumes by itself once the database accepts changes. Don't restart Notif: it may not start, and lookups would stop too.",
    ],
    ['silent', {}, STUCK],
    ['catching-up', { openGaps: 1, uncheckedMs: 1_000 }, ''],
    ['late', { behindMs: 600_000 }, ''],
    ['failing', {}, ''],
    [
      'failing',
      { problem: { kind: 'unreachable' } },
      'Try again in a minute; if it persists, check NOTIF_PRODUCTION_API_URL and the network.',
    ],
    [
      'incomplete',
      { unreadable: 1 },
      `For the reasons, search the log for "couldn't be read" and "Event could not be recorded".`,
    ],
  ])('is said for %s, and nothing if it recovers by itself', (condition, change, next) => {
    expect(explained(condition, change)?.next).toBe(next);
  });
});
