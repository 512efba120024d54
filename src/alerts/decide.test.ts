import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BADNESSES } from '../incidents/badness.ts';
import { INCIDENT_STATES } from '../incidents/state.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts';
import { type Candidate, decide, type Told } from './decide.ts';

const NOW = new Date('2026-03-04T12:00:00Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const minutesAgo = (minutes: number) => ago(minutes * MINUTE_MS);

const candidate = (change: Partial<Candidate> = {}): Candidate => ({
  outbreak: 1,
  state: 'firing',
  stateAt: ago(DAY_MS),
  failures: 5,
  badness: 'some',
  critical: false,
  criticalSince: null,
  everySince: null,
  isSingle: false,
  isComplaint: false,
  unacknowledgedSince: ago(DAY_MS),
  isQuiet: false,
  isReminded: false,
  escalateMs: null,
  firstRangAt: null,
  told: null,
  hold: null,
  ...change,
});
const told = (change: Partial<Told> = {}): Told => ({
  outbreak: 1,
  badness: 'some',
  critical: false,
  failures: 5,
  failuresInLine: 0,
  lineAt: null,
  isSingle: false,
  postedAt: minutesAgo(20),
  rangAt: minutesAgo(20),
  escalatedAt: null,
  belowManySince: null,
  isGone: false,
  hasThread: true,
  owedSince: null,
  heldBy: null,
  ...change,
});
function decided(change: Partial<Candidate>): string | null {
  const decision = decide(candidate(change), NOW);
  switch (decision.is) {
    case 'post':
      return `post: ${decision.reason}${decision.rings ? ', rings' : ''}`;
    case 'line':
      return `line: ${decision.what}`;
    case 'held':
      return `held: ${decision.why}`;
    case 'nothing':
      return null;
  }
}

const SINGLE = { isSingle: true, badness: 'one', failures: 1 } as const;
const RUNG = told({ rangAt: minutesAgo(4), postedAt: minutesAgo(4) });
const HELD = { why: 'quiet-hours', until: new Date(NOW.getTime() + HOUR_MS), incidentMutedSince: null } as const;
const MUTED = { ...HELD, why: 'mute', incidentMutedSince: minutesAgo(10) } as const;

describe('What a watch tells of an incident', () => {
  test.for<[incident: string, decision: string | null, change: Partial<Candidate>]>([
    ['a new one', 'post: new, rings', {}],
    ['a new one that somebody has acknowledged already', 'post: new', { unacknowledgedSince: null }],
    ['a new one that is over', 'post: new', { state: 'resolved' }],
    ['a new one that is said afterwards', 'post: new', { isQuiet: true }],
    ['one without a failure that still counts', null, { failures: 0 }],
    ['one that was told', null, { told: told() }],
    ['a few people’s own trouble', 'post: single', SINGLE],
    ['a few people’s own trouble that was told', null, { ...SINGLE, told: told({ isSingle: true, badness: 'one' }) }],
    ['a few people’s own trouble in a new outbreak', 'post: single', { ...SINGLE, outbreak: 2, told: told() }],
    ['what was a few people’s own trouble', 'post: new, rings', { told: told({ isSingle: true, badness: 'one' }) }],
    ['spam that few report', null, { ...SINGLE, isComplaint: true }],
    ['spam that several report', 'post: new, rings', { isComplaint: true }],
    ['the second outbreak', 'post: back, rings', { outbreak: 2, told: told({ postedAt: minutesAgo(1) }) }],
    [
      'a second outbreak that somebody has acknowledged before it is told',
      'post: back',
      { outbreak: 2, unacknowledgedSince: null, told: told() },
    ],
    ['a second outbreak that is over', 'post: back', { outbreak: 2, state: 'recovering', told: told() }],
    ['one that gets critical', 'post: critical, rings', { critical: true, told: told() }],
    ['one that gets critical soon after a ring', null, { critical: true, told: RUNG }],
    ['one that gets critical, acknowledged', null, { critical: true, unacknowledgedSince: null, told: told() }],
    ['one that gets critical while it recovers', null, { critical: true, state: 'recovering', told: told() }],
    ['one that fails for everyone now', 'post: every, rings', { badness: 'every', told: told() }],
    ['one that fails for everyone soon after a ring', null, { badness: 'every', told: RUNG }],
    ['one that failed for everyone', null, { badness: 'every', told: told({ badness: 'every' }) }],
    [
      'one that fails for everyone again, after an hour below many',
      'post: every, rings',
      { badness: 'every', told: told({ badness: 'every', belowManySince: minutesAgo(60) }) },
    ],
    [
      'one that fails for everyone again, after less',
      null,
      { badness: 'every', told: told({ badness: 'every', belowManySince: minutesAgo(59) }) },
    ],
    ['one that an older version told, for everyone', null, { badness: 'every', told: told({ badness: null }) }],
    ['one that fails again', null, { stateAt: minutesAgo(1), told: told() }],
    [
      'one that fails again for everyone',
      'post: again, rings',
      { badness: 'every', stateAt: minutesAgo(1), told: told({ badness: 'every' }) },
    ],
    ['ten times as many', 'post: grown, rings', { failures: 50, told: told() }],
    ['less than ten times as many', null, { failures: 49, told: told() }],
    ['ten times as many in the first quarter of an hour', null, { failures: 50, told: RUNG }],
    ['ten times as many, acknowledged', 'line: grown', { failures: 50, unacknowledgedSince: null, told: told() }],
    [
      'ten times as many, acknowledged, in the first quarter of an hour',
      null,
      { failures: 50, unacknowledgedSince: null, told: RUNG },
    ],
    [
      'ten times as many as a line said',
      null,
      { failures: 499, unacknowledgedSince: null, told: told({ failuresInLine: 50, lineAt: minutesAgo(15) }) },
    ],
    ['one that goes on for a day', null, { told: told({ postedAt: ago(DAY_MS) }) }],
    [
      'a service that can’t be read for a day',
      'post: goes-on, rings',
      { isReminded: true, told: told({ postedAt: ago(DAY_MS) }) },
    ],
    ['one whose message was deleted', null, { told: told({ isGone: true }) }],
    [
      'one whose message was deleted, later',
      'post: goes-on, rings',
      { told: told({ isGone: true, postedAt: minutesAgo(30) }) },
    ],
    ['one that was held back', 'post: missed, rings', { told: told({ owedSince: minutesAgo(9), heldBy: 'mute' }) }],
    [
      'one that was held back and recovers',
      'post: missed',
      { state: 'recovering', told: told({ owedSince: minutesAgo(9), heldBy: 'mute' }) },
    ],
    ['a new one in quiet hours', 'held: quiet-hours', { hold: HELD }],
    ['one that gets critical in quiet hours', 'held: quiet-hours', { critical: true, told: told(), hold: HELD }],
    ['a new one that is muted already', 'held: mute', { hold: MUTED }],
    [
      'a new one that got critical in its mute',
      'post: new, rings',
      { critical: true, criticalSince: minutesAgo(9), hold: MUTED },
    ],
    ['one that grows while it is muted', 'held: mute', { failures: 50, told: told(), hold: MUTED }],
    [
      'one that gets critical while it is muted',
      'post: critical, rings',
      { critical: true, criticalSince: minutesAgo(9), told: told(), hold: MUTED },
    ],
    [
      'one that got critical before it was muted',
      'held: mute',
      { critical: true, criticalSince: minutesAgo(11), told: told(), hold: MUTED },
    ],
    [
      'one that fails for everyone while it is muted',
      'post: every, rings',
      { badness: 'every', everySince: minutesAgo(9), told: told(), hold: MUTED },
    ],
    [
      'one that failed for everyone before it was muted',
      'held: mute',
      { badness: 'every', everySince: minutesAgo(11), told: told(), hold: MUTED },
    ],
    [
      'a critical one that failed again before it was muted',
      'held: mute',
      { critical: true, stateAt: minutesAgo(11), told: told({ critical: true }), hold: MUTED },
    ],
    ['a next outbreak while it is muted', 'post: back, rings', { outbreak: 2, told: told(), hold: MUTED }],
  ])('%s: %s', ([, expected, change]) => {
    expect(decided(change)).toBe(expected);
  });

  const late = {
    critical: true,
    criticalSince: minutesAgo(10),
    escalateMs: 10 * MINUTE_MS,
    told: told({ critical: true }),
  };
  test.for<[when: string, decision: string | null, change: Partial<Candidate>]>([
    ['in time', 'line: escalated', {}],
    ['by a post where the thread is closed', 'post: escalated, rings', { told: { ...late.told, hasThread: false } }],
    ['not before', null, { escalateMs: 10 * MINUTE_MS + 1 }],
    ['only if the watch wants that', null, { escalateMs: null }],
    ['not if it is not critical', null, { critical: false }],
    ['not once somebody has acknowledged it', null, { unacknowledgedSince: null }],
    ['as late after it was taken back', null, { unacknowledgedSince: minutesAgo(9) }],
    ['not while it recovers', null, { state: 'recovering' }],
    ['once an outbreak', null, { told: { ...late.told, escalatedAt: minutesAgo(1) } }],
    ['by the post that is due anyway', 'post: escalated, rings', { badness: 'every' }],
    ['not in quiet hours', 'held: quiet-hours', { hold: HELD }],
    [
      'although the post of its outbreak has to wait',
      'post: escalated, rings',
      { outbreak: 6, told: { ...late.told, outbreak: 5, postedAt: minutesAgo(20), escalatedAt: minutesAgo(60) } },
    ],
    [
      'although a later outbreak has to wait',
      'line: escalated',
      { outbreak: 6, told: { ...late.told, outbreak: 6, postedAt: minutesAgo(1) } },
    ],
  ])('escalates what nobody acknowledges %s: %s', ([, expected, change]) => {
    expect(decided({ ...late, ...change })).toBe(expected);
  });

  test('of one that comes back over and over ever later, at most after six hours', () => {
    const waits = [2, 3, 4, 5, 8, 9, 20].map((outbreak) =>
      [0, 10, 20, 40, 320, 360].find((minutes) =>
        decided({ outbreak, told: told({ outbreak: outbreak - 1, postedAt: minutesAgo(minutes) }) })?.startsWith(
          'post',
        ),
      ),
    );
    expect(waits).toEqual([0, 10, 20, 40, 320, 360, 360]);
  });
});

describe('Whatever an incident is', () => {
  const date = fc.integer({ min: 0, max: 2 * DAY_MS }).map(ago);
  const maybeDate = fc.option(date);
  const badness = fc.constantFrom(...BADNESSES);
  const anyTold: fc.Arbitrary<Told> = fc.record({
    outbreak: fc.nat(4),
    badness: fc.option(badness),
    critical: fc.boolean(),
    failures: fc.nat(30),
    failuresInLine: fc.nat(300),
    lineAt: maybeDate,
    isSingle: fc.boolean(),
    postedAt: maybeDate,
    rangAt: maybeDate,
    escalatedAt: maybeDate,
    belowManySince: maybeDate,
    isGone: fc.boolean(),
    hasThread: fc.boolean(),
    owedSince: maybeDate,
    heldBy: fc.option(fc.constantFrom('mute', 'quiet-hours')),
  });
  const anyCandidate: fc.Arbitrary<Candidate> = fc.record({
    outbreak: fc.integer({ min: 1, max: 5 }),
    state: fc.constantFrom(...INCIDENT_STATES),
    stateAt: date,
    failures: fc.nat(300),
    badness,
    critical: fc.boolean(),
    criticalSince: maybeDate,
    everySince: maybeDate,
    isSingle: fc.boolean(),
    isComplaint: fc.boolean(),
    unacknowledgedSince: maybeDate,
    isQuiet: fc.boolean(),
    isReminded: fc.boolean(),
    escalateMs: fc.option(fc.nat(DAY_MS)),
    firstRangAt: maybeDate,
    told: fc.option(anyTold),
    hold: fc.constant(null),
  });
  const posts = (any: Candidate) => decide(any, NOW).is === 'post';

  test('nobody is told anything in quiet hours or by a muted watch, and what is due is owed', () => {
    fc.assert(
      fc.property(anyCandidate, (any) => {
        const { is } = decide({ ...any, hold: HELD }, NOW);
        return is === 'held' || (is === 'nothing' && !posts(any));
      }),
    );
  });

  test('nobody is rung for what somebody has acknowledged', () => {
    fc.assert(
      fc.property(anyCandidate, (any) => {
        const decision = decide({ ...any, unacknowledgedSince: null }, NOW);
        return decision.is !== 'post' || !decision.rings;
      }),
    );
  });
});
