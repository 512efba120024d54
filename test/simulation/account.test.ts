import { describe, expect, test } from 'vitest';
import { accountFor, type Rule } from './account.ts';
import type { Facts, PlantedFailure, Post } from './facts.ts';

const MINUTE = 60_000;
const NOON = Date.parse('2026-03-23T12:00:00.000Z');

const planted = (change: Partial<PlantedFailure> = {}): PlantedFailure => ({
  jobId: 'job-1',
  what: 'the refused event 1',
  createdAt: NOON,
  visibleAt: NOON + 5_000,
  promise: 'fresh',
  mayBeUnreadable: false,
  isUnreadable: false,
  ...change,
});

const post = (change: Partial<Post> = {}): Post => ({
  deliveryId: 'digest-1',
  watch: 'C0ALL',
  at: NOON + 2 * MINUTE,
  isMarked: false,
  standsUntil: Number.POSITIVE_INFINITY,
  groupKeys: ['group-1'],
  urgent: new Set<string>(),
  mayStand: 1,
  ...change,
});

const group = {
  watch: 'C0ALL',
  groupKey: 'group-1',
  words: 'order-shipped',
  isWanted: true,
  recorded: 1,
  notYetDue: 0,
  announced: 1,
};

/** Returns facts about a failure that was recorded in the next poll, announced and posted. */
function exact(change: Partial<Facts> = {}): Facts {
  return {
    planted: [planted()],
    recorded: [{ jobId: 'job-1', recordedAt: NOON + MINUTE, groupKey: 'group-1' }],
    notSeen: {
      givenUp: [],
      posted: [],
      unreadableMinutes: [],
      unreadable: 0,
      mostUnreadable: 0,
    },
    groups: [group],
    posts: [post()],
    mutes: [],
    showings: [],
    heartbeats: [{ at: NOON + MINUTE, isSent: true }],
    stops: [],
    requests: { all: 10, mostInAMinute: 5, oldestAge: MINUTE, impatient: 0 },
    promises: {
      pollMs: MINUTE,
      horizonMs: 60 * MINUTE,
      freshWithinMs: 3 * MINUTE,
      lateWithinMs: (age) => Math.max(5 * MINUTE, age / 3),
      shownAgainBy: ({ at }) => at + 3 * MINUTE,
      postsInHalfAnHour: 1,
      clocksDifferByMs: 0,
      mostRequests: 100,
      mostRequestsInAMinute: 50,
    },
    excuses: [],
    ...change,
  };
}

const rulesBroken = (change: Partial<Facts>): Rule[] => accountFor(exact(change)).map(({ rule }) => rule);

describe('the account of a combination', () => {
  test('is exact if each planted failure is recorded, announced and posted once, in time', () => {
    expect(accountFor(exact())).toEqual([]);
  });

  test('reports a failure that is neither recorded nor reported as not seen', () => {
    const groups = [{ ...group, recorded: 0, announced: 0 }];
    expect(rulesBroken({ recorded: [], groups, posts: [] })).toContain('seen-or-reported');
  });

  test.each([
    ['in a stretch that was given up', { givenUp: [{ from: NOON - MINUTE, to: NOON }] }],
    ['counted as unreadable in its minute', { unreadableMinutes: [NOON] }],
  ])('accepts a missing failure that is %s', (_, reported) => {
    const notSeen = { ...exact().notSeen, ...reported };
    const facts = { planted: [planted({ mayBeUnreadable: true })], recorded: [], groups: [], posts: [], notSeen };
    expect(rulesBroken(facts)).toEqual([]);
  });

  test("doesn't accept an unreadable minute as a report about a readable event", () => {
    const notSeen = { ...exact().notSeen, unreadableMinutes: [NOON] };
    expect(rulesBroken({ recorded: [], groups: [], posts: [], notSeen })).toContain('seen-or-reported');
  });

  test('reports a failure that is recorded twice', () => {
    const one = { jobId: 'job-1', recordedAt: NOON + MINUTE, groupKey: 'group-1' };
    expect(rulesBroken({ recorded: [one, one] })).toEqual(['recorded-once']);
  });

  test("reports a recorded failure that wasn't announced to a watch that wants it", () => {
    expect(rulesBroken({ groups: [{ ...group, announced: 0 }], posts: [] })).toEqual(['announced-once']);
    expect(rulesBroken({ groups: [{ ...group, recorded: 3, notYetDue: 1 }] })).toEqual(['announced-once']);
  });

  test('accepts that what was recorded after announcing ran last is not announced yet, or counts in an episode that was', () => {
    const justRecorded = { ...group, recorded: 2, notYetDue: 1 };
    for (const announced of [1, 2]) expect(rulesBroken({ groups: [{ ...justRecorded, announced }] })).toEqual([]);
    expect(rulesBroken({ groups: [{ ...justRecorded, announced: 3 }] })).toEqual(['announced-once']);
    expect(rulesBroken({ groups: [{ ...group, notYetDue: 1, announced: 0 }], posts: [] })).toEqual([]);
  });

  test('reports a message that the store counts as posted and that is in no channel', () => {
    expect(rulesBroken({ posts: [] })).toEqual(['announced-once']);
    expect(rulesBroken({ posts: [post({ watch: 'C0OTHER' })] })).toEqual(['announced-once']);
  });

  test("reports an incident that was announced to a watch that doesn't cover it", () => {
    expect(rulesBroken({ groups: [{ ...group, isWanted: false }] })).toEqual(['wanted-only']);
  });

  test('reports a repeated message without a mark, and accepts a marked one', () => {
    expect(rulesBroken({ posts: [post(), post({ at: NOON + 3 * MINUTE })] })).toEqual(['posted-once']);
    expect(rulesBroken({ posts: [post(), post({ at: NOON + 3 * MINUTE, isMarked: true })] })).toEqual([]);
  });

  test('accepts a message that is posted again after somebody deleted a post whose answer was lost', () => {
    const deleted = post({ standsUntil: NOON + 3 * MINUTE });
    expect(rulesBroken({ posts: [deleted, post({ at: NOON + 4 * MINUTE })] })).toEqual([]);
    expect(rulesBroken({ posts: [deleted, post({ at: NOON + 2.5 * MINUTE })] })).toEqual(['posted-once']);
  });

  test('accepts one separate post about the end of a gap', () => {
    const notice = (minutes: number) => post({ groupKeys: [], mayStand: 2, at: NOON + minutes * MINUTE });
    expect(rulesBroken({ posts: [post({ deliveryId: 'digest-0' }), notice(3), notice(5)] })).toEqual([]);
    const repeat = { ...notice(4), isMarked: true };
    expect(rulesBroken({ posts: [post({ deliveryId: 'digest-0' }), notice(3), repeat, notice(5)] })).toEqual([]);
    expect(rulesBroken({ posts: [post({ deliveryId: 'digest-0' }), notice(3), notice(5), notice(7)] })).toEqual([
      'posted-once',
    ]);
  });

  test('reports an incident that is posted more often in half an hour than promised', () => {
    const posts = [post(), post({ deliveryId: 'digest-2', at: NOON + 20 * MINUTE })];
    expect(rulesBroken({ posts })).toEqual(['no-flood']);
    expect(rulesBroken({ posts, promises: { ...exact().promises, postsInHalfAnHour: 2 } })).toEqual([]);
  });

  test('reports an incident that relapses and is posted twice in ten minutes', () => {
    const relapse = (minutes: number) =>
      post({ deliveryId: 'digest-2', at: NOON + minutes * MINUTE, urgent: new Set(['group-1']) });
    expect(rulesBroken({ posts: [post(), relapse(11)] })).toEqual(['no-flood']);
    expect(rulesBroken({ posts: [post(), relapse(12)] })).toEqual([]);
    const apart = { ...exact().promises, clocksDifferByMs: 90_000 };
    expect(rulesBroken({ posts: [post(), relapse(11)], promises: apart })).toEqual([]);
  });

  test('reports a fresh failure that is recorded late without an excuse', () => {
    const recorded = [{ jobId: 'job-1', recordedAt: NOON + 10 * MINUTE, groupKey: 'group-1' }];
    expect(rulesBroken({ recorded })).toEqual(['in-time']);
    expect(rulesBroken({ recorded, excuses: [{ from: NOON, to: NOON + 9 * MINUTE }] })).toEqual([]);
  });

  test('reports a late failure that is recorded after more than a third of its age', () => {
    const late = [planted({ promise: 'late', visibleAt: NOON + 60 * MINUTE })];
    const recordedAt = (minutes: number) => [
      { jobId: 'job-1', recordedAt: NOON + minutes * MINUTE, groupKey: 'group-1' },
    ];
    expect(rulesBroken({ planted: late, recorded: recordedAt(85) })).toEqual(['in-time']);
    expect(rulesBroken({ planted: late, recorded: recordedAt(75) })).toEqual([]);
  });

  test('reports an overdue failure during which all heartbeats were sent', () => {
    const recorded = [{ jobId: 'job-1', recordedAt: NOON + 40 * MINUTE, groupKey: 'group-1' }];
    const excuses = [{ from: NOON, to: NOON + 40 * MINUTE }];
    const beats = (isSent: boolean) => [{ at: NOON + 20 * MINUTE, isSent }];
    expect(rulesBroken({ recorded, excuses, heartbeats: beats(true) })).toEqual(['heartbeat']);
    expect(rulesBroken({ recorded, excuses, heartbeats: beats(false) })).toEqual([]);
    const posted = (minutes: number) => [{ from: NOON - 1_000, to: NOON, at: NOON + minutes * MINUTE }];
    const notSeen = (minutes: number) => ({ ...exact().notSeen, posted: posted(minutes) });
    expect(rulesBroken({ recorded, excuses, heartbeats: beats(true), notSeen: notSeen(10) })).toEqual([]);
    expect(rulesBroken({ recorded, excuses, heartbeats: beats(true), notSeen: notSeen(30) })).toEqual(['heartbeat']);
  });

  test('counts a failure as overdue only for the time in which Notif ran', () => {
    const recorded = [{ jobId: 'job-1', recordedAt: NOON + 40 * MINUTE, groupKey: 'group-1' }];
    const excuses = [{ from: NOON, to: NOON + 40 * MINUTE }];
    const heartbeats = [{ at: NOON + 5 * MINUTE, isSent: true }];
    const stoppedFor = (minutes: number) => [{ from: NOON + 5 * MINUTE, to: NOON + (5 + minutes) * MINUTE }];
    expect(rulesBroken({ recorded, excuses, heartbeats, stops: stoppedFor(30) })).toEqual([]);
    expect(rulesBroken({ recorded, excuses, heartbeats, stops: stoppedFor(20) })).toEqual(['heartbeat']);
  });

  test('reports an event that is checked again too late, or not at all, without an excuse', () => {
    const showings = (...minutes: number[]) => [
      { what: 'event 1', createdAt: NOON, at: minutes.map((minute) => NOON + minute * MINUTE) },
    ];
    const until = (minute: number) => ({
      ...exact().promises,
      shownAgainBy: ({ at }: { at: number }) => (at >= NOON + minute * MINUTE ? null : at + 3 * MINUTE),
    });
    expect(rulesBroken({ showings: showings(0, 3, 6), promises: until(6) })).toEqual([]);
    expect(rulesBroken({ showings: showings(0, 3, 7), promises: until(6) })).toEqual(['in-time']);
    expect(rulesBroken({ showings: showings(0, 3, 6), promises: until(7) })).toEqual(['in-time']);
    const excuses = [{ from: NOON + 5 * MINUTE, to: NOON + 6 * MINUTE }];
    expect(rulesBroken({ showings: showings(0, 3, 7), promises: until(6), excuses })).toEqual([]);
  });

  test('reports events that are not counted as unreadable, and counts without an event', () => {
    const unreadable = planted({ isUnreadable: true, mayBeUnreadable: true });
    const counted = (number: number) => ({
      ...exact().notSeen,
      unreadableMinutes: [NOON],
      unreadable: number,
      mostUnreadable: 1,
    });
    const nothing = { planted: [unreadable], recorded: [], groups: [], posts: [] };
    expect(rulesBroken({ ...nothing, notSeen: counted(1) })).toEqual([]);
    expect(rulesBroken({ ...nothing, notSeen: counted(0) })).toEqual(['counted']);
    expect(rulesBroken({ ...nothing, notSeen: counted(2) })).toEqual(['counted']);
  });

  test('reports alerts during a mute, and failures that are not reported once as missed when it is over', () => {
    const mute = { words: 'a mute', announced: 0, withheld: 2, missed: 2, mayRepeat: false };
    expect(rulesBroken({ mutes: [mute] })).toEqual([]);
    expect(rulesBroken({ mutes: [{ ...mute, announced: 1 }] })).toEqual(['muted']);
    expect(rulesBroken({ mutes: [{ ...mute, missed: 1 }] })).toEqual(['muted']);
    expect(rulesBroken({ mutes: [{ ...mute, missed: 3 }] })).toEqual(['muted']);
    expect(rulesBroken({ mutes: [{ ...mute, missed: 3, mayRepeat: true }] })).toEqual([]);
  });

  test('reports requests before the time that a 429 has named', () => {
    expect(rulesBroken({ requests: { ...exact().requests, impatient: 1 } })).toEqual(['request-budget']);
  });

  test('reports too many requests in total and in a minute', () => {
    expect(rulesBroken({ requests: { all: 101, mostInAMinute: 5, oldestAge: 0, impatient: 0 } })).toEqual([
      'request-budget',
    ]);
    expect(rulesBroken({ requests: { all: 100, mostInAMinute: 51, oldestAge: 0, impatient: 0 } })).toEqual([
      'request-budget',
    ]);
  });

  test('reports a request for something older than twice the horizon', () => {
    expect(rulesBroken({ requests: { all: 1, mostInAMinute: 1, oldestAge: 151 * MINUTE, impatient: 0 } })).toEqual([
      'horizon',
    ]);
  });
});
