import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { INCIDENT_STATES } from '../incidents/state.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts';
import { ALERT_REASONS, type AlertReason } from '../outbox/kinds.ts';
import { type Candidate, decide, isSingle, type LastAlert, messageOf, muteEndReason, type Pace } from './decide.ts';

const NOW = new Date('2026-03-04T12:00:00Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);

const candidate = (change: Partial<Candidate> = {}): Candidate => ({
  ...{ state: 'firing', stateAt: ago(DAY_MS), relapses: 0, matched: 1, critical: false },
  ...{ isSingle: false, isComplaint: false, isAcknowledged: false, hasThread: true },
  ...{ escalateMs: null, lastAlert: null, isMuted: false, missed: 0, ...change },
});
const last = (change: Partial<LastAlert> = {}): LastAlert => ({
  ...{ at: ago(MINUTE_MS), reason: 'new', matched: 1, relapses: 0, critical: false },
  ...{ escalated: false, stateAt: ago(DAY_MS), messageState: 'posted', ...change },
});
const decided = (change: Partial<Candidate>) => {
  const decision = decide(candidate(change), NOW);
  return decision && `${decision.as}: ${decision.reason}`;
};

const RECENTLY = last({ at: ago(15 * MINUTE_MS - 1) });
const BEFORE = last({ at: ago(15 * MINUTE_MS) });
const GONE = last({ ...BEFORE, messageState: 'gone' });

describe('A watch alerts to an incident', () => {
  test.for<[string, string | null, Partial<Candidate>]>([
    ['that is new', 'post: new', {}],
    ['that is new and over, as over', 'post: new', { state: 'resolved' }],
    ['once', null, { lastAlert: last() }],
    ['that others than single recipients have by now', 'post: new', { lastAlert: last({ reason: 'single' }) }],
    ['that is a single recipient’s with others', 'post: single', { isSingle: true }],
    ['of spam that fewer than three people report', null, { isSingle: true, isComplaint: true }],
    ['of spam that several report', 'post: new', { isComplaint: true }],
    ['that is a single recipient’s once', null, { isSingle: true, lastAlert: last({ reason: 'single' }) }],
    [
      'that relapsed for a single recipient',
      'post: single',
      { isSingle: true, relapses: 1, lastAlert: last({ at: ago(HOUR_MS) }) },
    ],
    ['that relapsed', 'post: relapsed', { relapses: 1, lastAlert: last() }],
    ['that relapsed and is over, as over', 'post: relapsed', { state: 'recovering', relapses: 1, lastAlert: last() }],
    ['that became critical', 'post: critical', { critical: true, lastAlert: BEFORE }],
    [
      'that became critical while it recovers',
      'post: critical',
      { state: 'recovering', critical: true, lastAlert: BEFORE },
    ],
    [
      'that became critical and is over, in its thread',
      'line: critical',
      { state: 'resolved', critical: true, lastAlert: BEFORE },
    ],
    ['that became critical soon, in its thread', 'line: critical', { critical: true, lastAlert: RECENTLY }],
    [
      'that became critical soon, later without a thread',
      null,
      { critical: true, lastAlert: RECENTLY, hasThread: false },
    ],
    ['that grew tenfold', 'post: grown', { matched: 10, lastAlert: BEFORE }],
    ['that grew tenfold soon, in its thread', 'line: grown', { matched: 10, lastAlert: RECENTLY }],
    ['that grew less not again', null, { matched: 9, lastAlert: BEFORE }],
    ['that fails again before it was resolved, in its thread', 'line: flared', { stateAt: NOW, lastAlert: BEFORE }],
    [
      'that got worse before it is posted, by its post',
      null,
      { matched: 10, critical: true, lastAlert: last({ messageState: 'waiting', at: ago(HOUR_MS) }) },
    ],
    ['that goes on after a day', 'post: goes-on', { lastAlert: last({ at: ago(DAY_MS) }) }],
    ['that is over after a day not again', null, { state: 'unconfirmed', lastAlert: last({ at: ago(DAY_MS) }) }],
    ['whose message is gone', 'post: goes-on', { lastAlert: last({ at: ago(31 * MINUTE_MS), messageState: 'gone' }) }],
    ['whose message is gone since a moment later', null, { lastAlert: last({ messageState: 'gone' }) }],
    ['that got worse since', 'post: critical', { critical: true, lastAlert: GONE }],
    ['that failed while muted', 'post: missed', { missed: 3, lastAlert: last({ at: ago(HOUR_MS) }) }],
    ['that is muted later', null, { isMuted: true }],
  ])('%s: %s', ([, expected, change]) => {
    expect(decided(change)).toBe(expected);
  });

  const due = { critical: true, escalateMs: 600_000, lastAlert: last({ critical: true, at: ago(600_000) }) };
  test.for<[string, string | null, Partial<Candidate>]>([
    ['that is critical, in its thread', 'line: escalated', {}],
    ['that is critical, later without a thread', null, { hasThread: false }],
    [
      'without a thread, by a post',
      'post: escalated',
      { hasThread: false, lastAlert: last({ ...BEFORE, critical: true }) },
    ],
    ['by a post if its message is gone', 'post: escalated', { lastAlert: { ...GONE, critical: true } }],
    ['not before', null, { escalateMs: 600_001 }],
    ['only if the watch wants that', null, { escalateMs: null }],
    ['not if it is not critical', null, { critical: false }],
    ['not once somebody has acknowledged it', null, { isAcknowledged: true }],
    ['not while it recovers', null, { state: 'recovering' }],
    ['once an outbreak', null, { lastAlert: { ...due.lastAlert, escalated: true } }],
    ['by its relapse', 'post: relapsed', { relapses: 1 }],
    ['not before it is posted', null, { lastAlert: { ...due.lastAlert, messageState: 'waiting' } }],
  ])('that nobody acknowledges in time: %s: %s', ([, expected, change]) => {
    expect(decided({ ...due, ...change })).toBe(expected);
  });

  test.for([{ critical: true }, { matched: 10 }])('that somebody has acknowledged in its thread: %j', (worse) => {
    const reason = worse.critical ? 'critical' : 'grown';
    for (const lastAlert of [RECENTLY, BEFORE])
      expect(decided({ ...worse, lastAlert, isAcknowledged: true })).toBe(`line: ${reason}`);
  });

  test('that relapses over and over ever later, at most after six hours', () => {
    const waits = [1, 2, 3, 4, 7, 8, 20].map((relapses) =>
      [0, 10, 20, 40, 320, 360].find((minutes) => {
        const lastAlert = last({ at: ago(minutes * MINUTE_MS), relapses: relapses - 1 });
        return decided({ relapses, lastAlert }) === 'post: relapsed';
      }),
    );
    expect(waits).toEqual([0, 10, 20, 40, 320, 360, 360]);
  });

  test.for<[string, Partial<Candidate>]>([
    ['relapse', { relapses: 9, lastAlert: last({ ...BEFORE, relapses: 8 }) }],
    ['end of a mute', { missed: 3, lastAlert: BEFORE }],
  ])('that got worse while its %s has to wait', ([, waiting]) => {
    expect(decided(waiting)).toBe(null);
    expect(decided({ ...waiting, critical: true })).toBe('post: critical');
    expect(decided({ ...waiting, matched: 100 })).toBe('post: grown');
  });
});

const muted = { isMuted: true, matched: 99, missed: 49, lastAlert: last({ matched: 50 }) };
test.for<[string, string | null, Partial<Candidate>]>([
  ['holds while it goes on', null, { matched: 499, missed: 449 }],
  ['ends with ten times as many failures', 'grown', { matched: 500, missed: 450 }],
  ['ends with the first critical workflow', 'critical', { critical: true }],
  ['holds for what was critical before', null, { critical: true, lastAlert: last({ critical: true }) }],
  ['ends with a relapse', 'relapsed', { relapses: 1, missed: 99 }],
  ['holds for a relapse that was known, and not alerted yet', null, { relapses: 1 }],
])('A mute of an incident %s: %s', ([, why, change]) => {
  expect(muteEndReason(candidate({ ...muted, ...change }))).toBe(why);
});

describe('What is to be posted becomes a message', () => {
  const posts = (...reasons: AlertReason[]) => reasons.map((reason) => ({ reason }));
  const becomes = (reasons: AlertReason[], pace: Partial<Pace>) => {
    const all = { everyMs: 0, lastNotifiedAt: null, lastAlertAt: null, ...pace };
    return messageOf(posts(...reasons), all, NOW).map(({ reason }) => reason);
  };
  const hourly = { everyMs: HOUR_MS, lastNotifiedAt: ago(HOUR_MS - 1), lastAlertAt: ago(HOUR_MS - 1) };

  test('when the pace lets it', () => {
    expect(becomes(['new', 'goes-on', 'missed'], hourly)).toEqual([]);
    expect(becomes(['new'], { ...hourly, lastNotifiedAt: ago(HOUR_MS) })).toEqual(['new']);
  });

  test.each(['relapsed', 'critical', 'grown', 'escalated'] as const)(
    'with what the pace holds back as soon as one is %s',
    (reason) => {
      expect(becomes(['new', reason, 'goes-on'], hourly)).toEqual(['new', reason, 'goes-on']);
    },
  );

  test('of singles alone after a quarter of an hour, and with what alerts at once', () => {
    expect(becomes(['single'], { lastAlertAt: ago(15 * MINUTE_MS - 1) })).toEqual([]);
    expect(becomes(['single', 'new'], { lastAlertAt: ago(MINUTE_MS) })).toEqual(['single', 'new']);
    expect(becomes(['single', 'new'], hourly)).toEqual(['single']);
  });

  test('even if a wrong clock dated the last alert into the future', () => {
    expect(becomes(['new'], { ...hourly, lastNotifiedAt: new Date(NOW.getTime() + DAY_MS) })).toEqual(['new']);
  });
});

describe('Whatever an incident is', () => {
  const date = fc.integer({ min: -2 * DAY_MS, max: 0 }).map((ms) => ago(-ms));
  const lastAlert = fc.record({
    ...{ at: date, reason: fc.constantFrom(...ALERT_REASONS), matched: fc.nat(30), relapses: fc.nat(3), stateAt: date },
    ...{ critical: fc.boolean(), escalated: fc.boolean(), messageState: fc.constantFrom('waiting', 'posted', 'gone') },
  });
  const anyCandidate: fc.Arbitrary<Candidate> = fc.record({
    ...{ state: fc.constantFrom(...INCIDENT_STATES), stateAt: date, relapses: fc.nat(3), matched: fc.nat(300) },
    ...{
      critical: fc.boolean(),
      isSingle: fc.boolean(),
      isComplaint: fc.boolean(),
      lastAlert: fc.option(lastAlert),
      isAcknowledged: fc.boolean(),
    },
    escalateMs: fc.option(fc.nat(DAY_MS)),
    ...{ hasThread: fc.boolean(), isMuted: fc.boolean(), missed: fc.nat(2) },
  });

  test('it alerts nobody in a mute, unless that breaks', () => {
    const isSilent = (any: Candidate) => decided({ ...any, isMuted: true }) === null || muteEndReason(any) !== null;
    fc.assert(fc.property(anyCandidate, isSilent));
  });

  test('it has no two posts within a quarter of an hour, but for a relapse', () => {
    fc.assert(
      fc.property(anyCandidate, lastAlert, (any, last) => {
        const isSoon = NOW.getTime() - last.at.getTime() < 15 * MINUTE_MS;
        const decision = decide({ ...any, lastAlert: last }, NOW);
        if (isSoon && last.reason !== 'single' && decision?.as === 'post') expect(decision.reason).toBe('relapsed');
      }),
    );
  });
});

test.for([
  ['recipient', 2, [2, 100], true],
  ['recipient', 2, [2, 9], true],
  ['recipient', 2, [2, 10], false],
  ['recipient', 3, [3, 100], false],
  ['unknown', 2, [2, 100], true],
  ['unknown', 2, [2, 9], false],
  ['unknown', 2, [2, 10], false],
  ['unknown', 3, [3, 100], false],
  ['provider', 1, [1, 100], false],
] as const)(
  'trouble of the owner %s that %s people have, %j of the attempts, is single: %s',
  ([owner, subscribers, [failed, tried], single]) => {
    const owned = { isRecipientFault: owner === 'recipient', isFaultUnknown: owner === 'unknown', subscribers };
    expect(isSingle(owned, { failed, tried })).toBe(single);
  },
);
