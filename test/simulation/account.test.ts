import { describe, expect, test } from 'vitest';
import { accountFor, broke, type Rule } from './account.ts';
import type { Facts, PlantedFailure, Post, RecordedFailure } from './facts.ts';
import { MINUTE } from './virtual-time.ts';

const NOON = Date.parse('2026-03-23T12:00:00.000Z');

const planted = (change: Partial<PlantedFailure> = {}): PlantedFailure => ({
  jobId: 'job-1',
  what: 'the refused event 1',
  createdAt: NOON,
  countsFrom: NOON,
  visibleAt: NOON + 5_000,
  promise: 'fresh',
  mayBeUnreadable: false,
  isUnreadable: false,
  ...change,
});

const recorded = (change: Partial<RecordedFailure> = {}): RecordedFailure => ({
  jobId: 'job-1',
  recordedAt: NOON + MINUTE,
  incidentId: 1,
  kind: 'email · ses',
  isRecipientFault: false,
  ...change,
});

const post = (change: Partial<Post> = {}): Post => ({
  deliveryId: 'digest-1',
  channel: 'C0ALL',
  isMarked: false,
  standsUntil: Number.POSITIVE_INFINITY,
  at: NOON + 2 * MINUTE,
  askedAt: change.at ?? NOON + 2 * MINUTE,
  ...change,
});

/** Returns facts about a failure that was recorded in the next poll, announced and posted. */
function exact(change: Partial<Facts> = {}): Facts {
  return {
    planted: [planted()],
    recorded: [recorded()],
    notSeen: { givenUp: [], posted: [], unreadableMinutes: [], unreadable: 0, mostUnreadable: 0 },
    gapTimes: [],
    bounded: [],
    posts: [post()],
    sends: [],
    seen: [],
    heartbeats: [{ at: NOON + MINUTE, isSent: true }],
    stops: [],
    promises: {
      pollMs: MINUTE,
      horizonMs: 60 * MINUTE,
      longestStopMs: 60 * MINUTE,
      freshWithinMs: 3 * MINUTE,
      lateWithinMs: (age) => Math.max(5 * MINUTE, age / 3),
      toldWithinMs: () => 2 * MINUTE,
      mostEdits: 30,
      mostRequests: 100,
      mostRequestsInAMinute: 50,
    },
    excuses: [],
    ...change,
  };
}

const rulesBroken = (change: Partial<Facts>): Rule[] => accountFor(exact(change)).map(({ rule }) => rule);

const MISSING = { recorded: [], posts: [], heartbeats: [] };
const inMinute = (unreadable: number) => notSeen({ unreadableMinutes: [NOON], unreadable, mostUnreadable: 1 });
const notSeen = (change: Partial<Facts['notSeen']>) => ({ notSeen: { ...exact().notSeen, ...change } });
const stopped = (minutes: number) => ({ stops: [{ from: NOON, to: NOON + minutes * MINUTE }] });
const counted = (is: number) => ({ bounded: [{ rule: 'counted', words: 'events', is, least: 1, most: 2 } as const] });
const excused = (from: number, to: number) => ({
  excuses: [{ from: NOON + from * MINUTE, to: NOON + to * MINUTE }],
});
const recordedAfter = (minutes: number) => ({ recorded: [recorded({ recordedAt: NOON + minutes * MINUTE })] });
const second = (change: Partial<RecordedFailure> = {}) => recorded({ jobId: 'job-2', ...change });
const unreadable = planted({ isUnreadable: true, mayBeUnreadable: true });

describe('the account of a combination', () => {
  test('is exact if each planted failure is recorded, announced and posted once, in time', () => {
    expect(accountFor(exact())).toEqual([]);
  });

  test.each<[string, Partial<Facts>, Rule]>([
    ['is neither recorded nor reported as not seen', MISSING, 'seen-or-reported'],
    ['is readable, in a minute with something unreadable', { ...MISSING, ...inMinute(0) }, 'seen-or-reported'],
    ['is recorded twice', { recorded: [recorded(), recorded()] }, 'recorded-once'],
    ['is in an incident of another kind', { recorded: [recorded(), second({ kind: 'sms' })] }, 'one-incident'],
    ['is in another incident of its kind', { recorded: [recorded(), second({ incidentId: 2 })] }, 'one-incident'],
    ['is in a stop without a gap', stopped(61), 'gaps'],
    ['is in a minute of which more is counted than there was', counted(3), 'counted'],
    ['is in a minute of which less is counted than there was', counted(0), 'counted'],
    ['is posted twice without a mark', { posts: [post(), post({ at: NOON + 3 * MINUTE })] }, 'posted-once'],
    ['is recorded late', recordedAfter(10), 'in-time'],
    ["isn't counted as unreadable", { ...MISSING, planted: [unreadable], ...inMinute(0) }, 'counted'],
    ['is overdue while all heartbeats were sent', { ...recordedAfter(40), ...excused(0, 40) }, 'heartbeat'],
    ['is seen to be wrong meanwhile', { seen: [broke('loops-run', 'a loop failed')] }, 'loops-run'],
    ['was recorded before it showed', recordedAfter(-3), 'true'],
    ['is in a gap that ends before it begins', { gapTimes: [{ from: NOON, to: NOON - MINUTE }] }, 'gaps'],
  ])('reports a failure that %s', (_, facts, rule) => {
    expect(rulesBroken(facts)).toEqual([rule]);
  });

  test('accepts that the first heartbeat after a long silence precedes what is overdue', () => {
    const overdue = { ...recordedAfter(40), ...excused(0, 40) };
    expect(rulesBroken({ ...overdue, heartbeats: [{ at: NOON + 39 * MINUTE, isSent: true }] })).toEqual([]);
  });

  test('accepts that a recipient’s own trouble that was a failure without a reason ends its number', () => {
    const ended = recorded({ isRecipientFault: true });
    expect(rulesBroken({ recorded: [ended, second({ incidentId: 2 })] })).toEqual([]);
  });

  test('accepts that Slack carries out the first of two posts after the marked one', () => {
    const marked = post({ isMarked: true, askedAt: NOON + 3 * MINUTE });
    expect(rulesBroken({ posts: [marked, post({ at: NOON + 4 * MINUTE, askedAt: NOON })] })).toEqual([]);
  });
});
