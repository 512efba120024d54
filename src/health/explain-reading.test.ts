import { describe, expect, test } from 'vitest';
import { anEnvironment } from '../lib/environment.testing.ts';
import { at, NOON } from '../service/event.testing.ts';
import { explainReading } from './explain.ts';
import { aHealth } from './health.testing.ts';
import type { ReadingCondition } from './status.ts';

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
