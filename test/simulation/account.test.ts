import { describe, expect, test } from 'vitest';
import { accountFor, type Rule } from './account.ts';
import type { Facts, IncidentInWatch, PlantedFailure, Post, RecordedFailure, Telling } from './facts.ts';

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

const recorded = (change: Partial<RecordedFailure> = {}): RecordedFailure => ({
  ...{
    jobId: 'job-1',
    recordedAt: NOON + MINUTE,
    incidentId: 1,
    kind: 'email · ses · Mailbox full',
    isRecipients: false,
  },
  ...change,
});

const telling = (change: Partial<Telling> = {}): Telling => ({
  ...{ incidentId: 1, at: NOON + MINUTE, reason: 'new', matched: 1, relapses: 0, critical: false },
  ...change,
});

const post = (change: Partial<Post> = {}): Post => ({
  ...{ deliveryId: 'digest-1', watch: 'C0ALL', at: NOON + 2 * MINUTE, isMarked: false, isDeleted: false },
  ...{ standsUntil: Number.POSITIVE_INFINITY, tellings: [telling()] },
  ...change,
});

const incident: IncidentInWatch = {
  ...{ watch: 'C0ALL', incidentId: 1, words: '#1', isWanted: true, isCountedRight: true, isRecipients: false },
  ...{ recorded: 1, notYetDue: 0, told: 1, firstRecordedAt: NOON + MINUTE, firstToldAt: NOON + MINUTE },
};

/** Returns facts about a failure that was recorded in the next poll, announced and posted. */
function exact(change: Partial<Facts> = {}): Facts {
  return {
    planted: [planted()],
    recorded: [recorded()],
    notSeen: {
      givenUp: [],
      posted: [],
      unreadableMinutes: [],
      unreadable: 0,
      mostUnreadable: 0,
    },
    incidents: [incident],
    gaps: [],
    gapTimes: [],
    minutes: [],
    posts: [post()],
    mostEditsInAMinute: 3,
    mutes: [],
    showings: [],
    heartbeats: [{ at: NOON + MINUTE, isSent: true }],
    stops: [],
    requests: { all: 10, mostInAMinute: 5, oldestAge: MINUTE, impatient: 0 },
    promises: {
      pollMs: MINUTE,
      horizonMs: 60 * MINUTE,
      longestStopMs: 60 * MINUTE,
      freshWithinMs: 3 * MINUTE,
      lateWithinMs: (age) => Math.max(5 * MINUTE, age / 3),
      shownAgainBy: ({ at }) => at + 3 * MINUTE,
      toldWithinMs: (_, isRecipients) => (isRecipients ? 17 : 2) * MINUTE,
      mostEditsInAMinute: 30,
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
    expect(rulesBroken({ recorded: [], incidents: [], posts: [] })).toContain('seen-or-reported');
  });

  test.each([
    ['in a stretch that was given up', { givenUp: [{ from: NOON - MINUTE, to: NOON }] }],
    ['counted as unreadable in its minute', { unreadableMinutes: [NOON] }],
  ])('accepts a missing failure that is %s', (_, reported) => {
    const notSeen = { ...exact().notSeen, ...reported };
    const facts = { planted: [planted({ mayBeUnreadable: true })], recorded: [], incidents: [], posts: [], notSeen };
    expect(rulesBroken(facts)).toEqual([]);
  });

  test("doesn't accept an unreadable minute as a report about a readable event", () => {
    const notSeen = { ...exact().notSeen, unreadableMinutes: [NOON] };
    expect(rulesBroken({ recorded: [], incidents: [], posts: [], notSeen })).toContain('seen-or-reported');
  });

  test('reports a failure that is recorded twice', () => {
    expect(rulesBroken({ recorded: [recorded(), recorded()] })).toEqual(['recorded-once']);
  });

  test('reports an incident with failures of two kinds, and a kind in two incidents unless it is of recipients', () => {
    const second = { jobId: 'job-2' };
    expect(rulesBroken({ recorded: [recorded(), recorded(second)] })).toEqual([]);
    expect(rulesBroken({ recorded: [recorded(), recorded({ ...second, kind: 'sms' })] })).toEqual(['one-incident']);
    expect(rulesBroken({ recorded: [recorded(), recorded({ ...second, incidentId: 2 })] })).toEqual(['one-incident']);
    const own = { isRecipients: true };
    expect(rulesBroken({ recorded: [recorded(own), recorded({ ...own, ...second, incidentId: 2 })] })).toEqual([]);
  });

  test("reports a recorded failure that a watch that wants it wasn't told of, unless it isn't due", () => {
    expect(rulesBroken({ incidents: [{ ...incident, told: 0 }], posts: [] })).toEqual(['told']);
    expect(rulesBroken({ incidents: [{ ...incident, recorded: 3, notYetDue: 1 }] })).toEqual(['told']);
    expect(rulesBroken({ incidents: [{ ...incident, recorded: 2, notYetDue: 1 }] })).toEqual([]);
    expect(rulesBroken({ incidents: [{ ...incident, told: 0, notYetDue: 1 }], posts: [] })).toEqual([]);
  });

  test('reports a message that the store counts as posted and that is in no channel', () => {
    expect(rulesBroken({ posts: [] })).toEqual(['told']);
    expect(rulesBroken({ posts: [post({ watch: 'C0OTHER' })] })).toEqual(['told']);
  });

  test("reports an incident whose counts aren't those of its failures", () => {
    expect(rulesBroken({ incidents: [{ ...incident, isCountedRight: false }] })).toEqual(['counted']);
  });

  test('reports an incident that was told late; that of a recipient may be gathered', () => {
    const toldAfter = (minutes: number) => ({ ...incident, firstToldAt: NOON + (1 + minutes) * MINUTE });
    expect(rulesBroken({ incidents: [toldAfter(3)] })).toEqual(['told-in-time']);
    expect(rulesBroken({ incidents: [{ ...toldAfter(16), isRecipients: true }] })).toEqual([]);
    expect(rulesBroken({ incidents: [{ ...toldAfter(18), isRecipients: true }] })).toEqual(['told-in-time']);
    const excuses = [{ from: NOON + 2 * MINUTE, to: NOON + 3 * MINUTE }];
    expect(rulesBroken({ incidents: [toldAfter(3)], excuses })).toEqual([]);
  });

  test("reports an incident that a watch was told of that doesn't cover it", () => {
    expect(rulesBroken({ incidents: [{ ...incident, isWanted: false }] })).toEqual(['wanted-only']);
  });

  test("reports a gap that a watch wasn't told of, unless it was short and closed", () => {
    const gap = { watch: 'C0ALL', words: 'the gap', longestMs: 6 * MINUTE, isGivenUp: false, isPosted: false };
    expect(rulesBroken({ gaps: [gap] })).toEqual(['gap-told']);
    expect(rulesBroken({ gaps: [{ ...gap, isPosted: true }] })).toEqual([]);
    expect(rulesBroken({ gaps: [{ ...gap, longestMs: MINUTE }] })).toEqual([]);
    expect(rulesBroken({ gaps: [{ ...gap, longestMs: MINUTE, isGivenUp: true }] })).toEqual(['gap-told']);
  });

  test('reports a stop of which no gap says anything, unless it was short', () => {
    const stopped = (minutes: number) => ({ stops: [{ from: NOON, to: NOON + minutes * MINUTE }] });
    expect(rulesBroken(stopped(61))).toEqual(['gap-told']);
    expect(rulesBroken(stopped(60))).toEqual([]);
    expect(rulesBroken({ ...stopped(61), gapTimes: [{ from: NOON, to: NOON + 44 * MINUTE }] })).toEqual([]);
  });

  test('reports a minute of which more is counted than there was', () => {
    const minute = (counted: number) => ({ words: 'events of 12:00', counted, most: 2 });
    expect(rulesBroken({ minutes: [minute(2)] })).toEqual([]);
    expect(rulesBroken({ minutes: [minute(3)] })).toEqual(['counted']);
  });

  test('reports more edits in a minute than Slack takes', () => {
    expect(rulesBroken({ mostEditsInAMinute: 31 })).toEqual(['edit-budget']);
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

  /** The rules that a second message about the incident breaks, some minutes after the first. */
  const again = (
    minutes: number,
    second: Partial<Telling>,
    first: Partial<Telling> = {},
    facts: Partial<Facts> = {},
  ) => {
    const tellings = [telling({ at: NOON + (1 + minutes) * MINUTE, ...second })];
    const posts = [post({ tellings: [telling(first)] }), post({ deliveryId: 'digest-2', tellings })];
    return rulesBroken({ posts, ...facts });
  };

  test('reports an incident that is told twice', () => {
    for (const reason of ['new', 'single', 'told', 'grown', 'critical', 'relapsed', 'missed', 'goes-on'])
      expect(again(60, { reason, matched: 2 })).toEqual(['told-once']);
    expect(rulesBroken({ posts: [post(), post({ deliveryId: 'digest-2', watch: 'C0MAIL' })] })).toEqual([]);
  });

  test('accepts an incident that is told again when it became worse', () => {
    expect(again(1, { reason: 'new', matched: 3 }, { reason: 'single' })).toEqual([]);
    expect(again(1, { reason: 'grown', matched: 10 })).toEqual([]);
    expect(again(1, { reason: 'critical', critical: true })).toEqual([]);
    expect(again(1, { reason: 'relapsed', relapses: 1 })).toEqual([]);
  });

  test('reports further relapses that are told sooner than 10, 20, 40 minutes after the last message', () => {
    expect(again(9, { reason: 'relapsed', relapses: 2 }, { relapses: 1 })).toEqual(['told-once']);
    expect(again(10, { reason: 'relapsed', relapses: 2 }, { relapses: 1 })).toEqual([]);
    expect(again(19, { reason: 'relapsed', relapses: 3 }, { relapses: 1 })).toEqual(['told-once']);
    const apart = { promises: { ...exact().promises, clocksDifferByMs: 90_000 } };
    expect(again(9, { reason: 'relapsed', relapses: 2 }, { relapses: 1 }, apart)).toEqual([]);
  });

  test('accepts a daily reminder, and what goes on after its message was deleted', () => {
    expect(again(24 * 60, { reason: 'goes-on' })).toEqual([]);
    const second = post({ deliveryId: 'digest-2', tellings: [telling({ reason: 'goes-on', at: NOON + 32 * MINUTE })] });
    expect(rulesBroken({ posts: [post({ isDeleted: true }), second] })).toEqual([]);
    expect(rulesBroken({ posts: [post(), second] })).toEqual(['told-once']);
  });

  test('accepts that what was missed is told when a mute is over', () => {
    const mute = { words: 'a mute', watch: 'C0ALL', from: NOON + 5 * MINUTE, to: NOON + 30 * MINUTE };
    const mutes = [{ ...mute, announced: 0, withheld: 2, missed: 2, mayRepeat: false }];
    expect(again(31, { reason: 'missed' }, {}, { mutes })).toEqual([]);
    expect(again(20, { reason: 'missed' }, {}, { mutes })).toEqual(['told-once']);
  });

  test('reports a fresh failure that is recorded late without an excuse', () => {
    const late = [recorded({ recordedAt: NOON + 10 * MINUTE })];
    expect(rulesBroken({ recorded: late })).toEqual(['in-time']);
    expect(rulesBroken({ recorded: late, excuses: [{ from: NOON, to: NOON + 9 * MINUTE }] })).toEqual([]);
  });

  test('reports a late failure that is recorded after more than a third of its age', () => {
    const late = [planted({ promise: 'late', visibleAt: NOON + 60 * MINUTE })];
    const recordedAt = (minutes: number) => [recorded({ recordedAt: NOON + minutes * MINUTE })];
    expect(rulesBroken({ planted: late, recorded: recordedAt(85) })).toEqual(['in-time']);
    expect(rulesBroken({ planted: late, recorded: recordedAt(75) })).toEqual([]);
  });

  test('reports an overdue failure during which all heartbeats were sent', () => {
    const overdue = { recorded: [recorded({ recordedAt: NOON + 40 * MINUTE })] };
    const excuses = [{ from: NOON, to: NOON + 40 * MINUTE }];
    const beats = (isSent: boolean) => [{ at: NOON + 20 * MINUTE, isSent }];
    expect(rulesBroken({ ...overdue, excuses, heartbeats: beats(true) })).toEqual(['heartbeat']);
    expect(rulesBroken({ ...overdue, excuses, heartbeats: beats(false) })).toEqual([]);
    const posted = (minutes: number) => [{ from: NOON - 1_000, to: NOON, at: NOON + minutes * MINUTE }];
    const notSeen = (minutes: number) => ({ ...exact().notSeen, posted: posted(minutes) });
    expect(rulesBroken({ ...overdue, excuses, heartbeats: beats(true), notSeen: notSeen(10) })).toEqual([]);
    expect(rulesBroken({ ...overdue, excuses, heartbeats: beats(true), notSeen: notSeen(30) })).toEqual(['heartbeat']);
  });

  test('counts a failure as overdue only for the time in which Notif ran', () => {
    const overdue = { recorded: [recorded({ recordedAt: NOON + 40 * MINUTE })] };
    const excuses = [{ from: NOON, to: NOON + 40 * MINUTE }];
    const heartbeats = [{ at: NOON + 5 * MINUTE, isSent: true }];
    const stoppedFor = (minutes: number) => [{ from: NOON + 5 * MINUTE, to: NOON + (5 + minutes) * MINUTE }];
    expect(rulesBroken({ ...overdue, excuses, heartbeats, stops: stoppedFor(30) })).toEqual([]);
    expect(rulesBroken({ ...overdue, excuses, heartbeats, stops: stoppedFor(20) })).toEqual(['heartbeat']);
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
    const nothing = { planted: [unreadable], recorded: [], incidents: [], posts: [] };
    expect(rulesBroken({ ...nothing, notSeen: counted(1) })).toEqual([]);
    expect(rulesBroken({ ...nothing, notSeen: counted(0) })).toEqual(['counted']);
    expect(rulesBroken({ ...nothing, notSeen: counted(2) })).toEqual(['counted']);
  });

  test('reports alerts during a mute, and failures that are not reported once as missed when it is over', () => {
    const stretch = { watch: 'C0ALL', from: NOON, to: NOON + 30 * MINUTE };
    const mute = { words: 'a mute', ...stretch, announced: 0, withheld: 2, missed: 2, mayRepeat: false };
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
