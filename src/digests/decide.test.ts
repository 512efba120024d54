import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { INCIDENT_STATES } from '../incidents/state.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts';
import { ALERT_REASONS, type AlertReason, type Candidate, decide, isSingle, type LastAlert } from './decide.ts';

const NOW = new Date('2026-03-04T12:00:00Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);

const candidate = (change: Partial<Candidate> = {}): Candidate => ({
  ...{ state: 'firing', relapses: 0, matched: 1, critical: false, isSingle: false, lastAlert: null },
  ...{ isMuted: false, missed: 0, ...change },
});
const told = (change: Partial<LastAlert> = {}): LastAlert => ({
  at: ago(MINUTE_MS),
  reason: 'new',
  matched: 1,
  relapses: 0,
  critical: false,
  isGone: false,
  ...change,
});
/** Everything at once, unless overridden. */
const decided = (change: Partial<Candidate>, everyMs = 0, lastRungAt: Date | null = null) =>
  decide(candidate(change), everyMs, lastRungAt, NOW);

describe('A watch is told of an incident', () => {
  test.for<[string, AlertReason | null, Partial<Candidate>]>([
    ['that is new', 'new', {}],
    ['that is new and over, as over', 'new', { state: 'resolved' }],
    ['once', null, { lastAlert: told() }],
    ['that others than single recipients have by now', 'new', { lastAlert: told({ reason: 'single' }) }],
    ['that is a single recipient’s with others', 'single', { isSingle: true }],
    ['that is a single recipient’s once', null, { isSingle: true, lastAlert: told({ reason: 'single' }) }],
    ['that relapsed', 'relapsed', { relapses: 1, lastAlert: told() }],
    ['that relapsed and is over, as over', 'relapsed', { state: 'recovering', relapses: 1, lastAlert: told() }],
    ['that became critical', 'critical', { critical: true, lastAlert: told() }],
    ['that grew tenfold', 'grown', { matched: 10, lastAlert: told() }],
    ['that grew less not again', null, { matched: 9, lastAlert: told() }],
    ['that goes on after a day', 'goes-on', { lastAlert: told({ at: ago(DAY_MS) }) }],
    ['that is over after a day not again', null, { state: 'unconfirmed', lastAlert: told({ at: ago(DAY_MS) }) }],
    ['whose message is gone', 'goes-on', { lastAlert: told({ at: ago(31 * MINUTE_MS), isGone: true }) }],
    ['whose message is gone since a moment later', null, { lastAlert: told({ isGone: true }) }],
    ['that failed while muted', 'missed', { missed: 3, lastAlert: told({ at: ago(HOUR_MS) }) }],
    ['that is muted later', null, { isMuted: true }],
  ])('%s: %s', ([, expected, change]) => {
    expect(decided(change)).toBe(expected);
  });

  test('when its pace lets it', () => {
    expect(decided({}, HOUR_MS, ago(HOUR_MS - 1))).toBe(null);
    expect(decided({}, HOUR_MS, ago(HOUR_MS))).toBe('new');
  });

  test.for<[string, AlertReason | null, Partial<Candidate>]>([
    ['that became critical', 'critical', { critical: true, lastAlert: told() }],
    ['that grew tenfold', 'grown', { matched: 10, lastAlert: told() }],
    ['that relapsed', 'relapsed', { relapses: 1, lastAlert: told() }],
    ['that is a single recipient’s', 'single', { isSingle: true }],
    ['that goes on after a day', null, { lastAlert: told({ at: ago(DAY_MS) }) }],
    ['that failed while muted', null, { missed: 1, lastAlert: told({ at: ago(DAY_MS) }) }],
  ])('%s, sooner than its pace: %s', ([, expected, change]) => {
    expect(decided(change, HOUR_MS, ago(MINUTE_MS))).toBe(expected);
  });

  test('that relapses over and over ever later, at most after six hours', () => {
    const waits = [1, 2, 3, 4, 7, 8, 20].map((relapses) =>
      [0, 10, 20, 40, 320, 360].find(
        (minutes) =>
          decided({ relapses, lastAlert: told({ at: ago(minutes * MINUTE_MS), relapses: relapses - 1 }) }) ===
          'relapsed',
      ),
    );
    expect(waits).toEqual([0, 10, 20, 40, 320, 360, 360]);
  });

  test.for<[string, Partial<Candidate>]>([
    ['relapse', { relapses: 5, lastAlert: told({ relapses: 4 }) }],
    ['end of a mute', { missed: 3, lastAlert: told() }],
  ])('that got worse while its %s has to wait', ([, waiting]) => {
    expect(decided(waiting)).toBe(null);
    expect(decided({ ...waiting, critical: true })).toBe('critical');
    expect(decided({ ...waiting, matched: 10 })).toBe('grown');
  });
});

test('A message that a wrong clock dated into the future silences nothing', () => {
  expect(decided({}, HOUR_MS, new Date(NOW.getTime() + DAY_MS))).toBe('new');
});

describe('Whatever an incident is', () => {
  const date = fc.integer({ min: -2 * DAY_MS, max: 2 * DAY_MS }).map((ms) => ago(ms));
  const lastAlert = fc.record({
    ...{ at: date, reason: fc.constantFrom(...ALERT_REASONS), matched: fc.nat(30), relapses: fc.nat(3) },
    ...{ critical: fc.boolean(), isGone: fc.boolean() },
  });
  const anyCandidate: fc.Arbitrary<Candidate> = fc.record({
    ...{ state: fc.constantFrom(...INCIDENT_STATES), relapses: fc.nat(3), matched: fc.nat(300) },
    ...{ critical: fc.boolean(), isSingle: fc.boolean(), lastAlert: fc.option(lastAlert) },
    ...{ isMuted: fc.boolean(), missed: fc.nat(2) },
  });

  test('nothing is told of it in a mute', () => {
    fc.assert(
      fc.property(anyCandidate, fc.option(date), (any, lastRungAt) => {
        expect(decided({ ...any, isMuted: true }, 0, lastRungAt)).toBe(null);
      }),
    );
  });
});

test.for([
  [true, 2, [2, 100], true],
  [true, 2, [2, 9], true],
  [true, 2, [2, 10], false],
  [true, 3, [3, 100], false],
  [false, 1, [1, 100], false],
] as const)(
  'A recipient’s (%s) trouble of %s people, %j of the attempts, is single: %s',
  ([isRecipients, subscribers, [failed, tried], single]) => {
    expect(isSingle({ isRecipients, subscribers }, { failed, tried })).toBe(single);
  },
);
