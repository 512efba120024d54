import { describe, expect, test } from 'vitest';
import type { IncidentState } from '../incidents/incident.ts';
import { EVERYTHING, type WatchSettings } from '../watches/watch.ts';
import { aCandidate, minutesLater, NOON } from './alert-decision.testing.ts';
import { decide, type HoldReason, holdReasonOf, type LastAlert, SAME_INCIDENT_MS } from './alert-decision.ts';

const ALL = { filter: EVERYTHING, threshold: null };
const PASS = { decision: 'pass' };
const announce = (reason: string) => ({ decision: 'announce', reason });
const alerted = (change: Partial<LastAlert> = {}): LastAlert => ({
  ...{ failures: 1, isGone: false, relapses: 0, wasCritical: false },
  ...change,
});
const hold = (why: HoldReason) => ({ decision: 'hold', why });

const decideNow = (
  candidate: Parameters<typeof aCandidate>[0],
  settings: Pick<WatchSettings, 'filter' | 'threshold'> = ALL,
  suppression: HoldReason | null = null,
) => decide(aCandidate(candidate), settings, suppression, NOON);

describe('alerting a watch about an episode', () => {
  test.each(['new', 'back', 'goes-on'] as const)('alerts to its beginning, as %s', (beganAs) => {
    expect(decideNow({ beganAs })).toEqual(announce(beganAs));
  });

  test('alerts to nothing else once it was announced', () => {
    expect(decideNow({ failures: 9, lastAlert: alerted() })).toEqual(PASS);
  });

  test('alerts when it is up 10× since', () => {
    expect(decideNow({ failures: 29, lastAlert: alerted({ failures: 3 }) })).toEqual(PASS);
    expect(decideNow({ failures: 30, lastAlert: alerted({ failures: 3 }) })).toEqual(announce('grown'));
  });

  test('alerts that it continues if the message that announced it is gone', () => {
    expect(decideNow({ failures: 3, lastAlert: alerted({ failures: 3, isGone: true }) })).toEqual(announce('goes-on'));
  });

  test('alerts to what a mute withheld, announced before or not', () => {
    expect(decideNow({ missed: 1 })).toEqual(announce('missed'));
    expect(decideNow({ failures: 3, missed: 1, lastAlert: alerted({ failures: 2 }) })).toEqual(announce('missed'));
  });

  test("ignores an incident that the watch doesn't cover", () => {
    const sms = { filter: { ...EVERYTHING, channels: ['sms'] }, threshold: null };
    expect(decideNow({ missed: 1 }, sms)).toEqual(PASS);
    expect(decideNow({ mutedUntil: minutesLater(1) }, sms)).toEqual(PASS);
  });

  test('alerts to an incident if the watch covers part of it', () => {
    const email = { filter: { ...EVERYTHING, workflows: ['order-shipped'] }, threshold: null };
    const [part] = aCandidate().parts;
    const other = part && { ...part, workflow: 'welcome', workflowName: 'Welcome' };
    expect(decideNow({ parts: [other, part].filter((one) => one !== undefined) }, email)).toEqual(announce('new'));
    expect(decideNow({ parts: [other].filter((one) => one !== undefined) }, email)).toEqual(PASS);
  });
});

describe("a watch's threshold", () => {
  const fiveIn10 = { filter: EVERYTHING, threshold: { failures: 5, withinMs: 600_000, rate: null } };
  const minutes = { failures: new Map([[NOON.getTime(), 5]]), events: new Map() };

  test('holds back an episode until it is reached', () => {
    expect(decideNow({ failures: 5 }, fiveIn10)).toEqual(PASS);
    expect(decideNow({ failures: 5, missed: 5 }, fiveIn10)).toEqual(PASS);
    expect(decideNow({ failures: 5, minutes }, fiveIn10)).toEqual(announce('new'));
  });

  test("doesn't hold back alerts about an announced episode", () => {
    expect(decideNow({ failures: 10, lastAlert: alerted() }, fiveIn10)).toEqual(announce('grown'));
  });

  test.each(['goes-on', 'relapsed'] as const)(
    "doesn't hold back the next day of an incident that the watch was alerted to, as %s",
    (beganAs) => {
      expect(decideNow({ beganAs, wasAlertedEarlier: true }, fiveIn10)).toEqual(announce(beganAs));
      expect(decideNow({ beganAs, wasAlertedEarlier: false }, fiveIn10)).toEqual(PASS);
    },
  );
});

describe('holding for later', () => {
  test.each(['quiet', 'pace'] as const)('covers what would be announced, during %s', (why) => {
    expect(decideNow({}, ALL, why)).toEqual(hold(why));
    expect(decideNow({ failures: 10, lastAlert: alerted() }, ALL, why)).toEqual(hold(why));
    expect(decideNow({ failures: 9, lastAlert: alerted() }, ALL, why)).toEqual(PASS);
  });

  test('covers everything that fails during a mute, to report at its end', () => {
    const lastAlert = alerted();
    expect(decideNow({ mutedUntil: minutesLater(1) })).toEqual(hold('mute'));
    expect(decideNow({ mutedUntil: minutesLater(1), failures: 2, lastAlert })).toEqual(hold('mute'));
    expect(decideNow({ failures: 2, lastAlert }, ALL, 'mute')).toEqual(hold('mute'));
  });

  test('covers what comes within half an hour after the incident was announced', () => {
    const lastAlert = alerted();
    const alertedAgo = (ms: number) => ({ failures: 10, lastAlert, incidentTurns: [turn(ms)] });
    expect(decideNow(alertedAgo(SAME_INCIDENT_MS - 1))).toEqual(hold('pace'));
    expect(decideNow(alertedAgo(SAME_INCIDENT_MS))).toEqual(announce('grown'));
  });

  test('covers an incident whose message was deleted twice within half an hour; after the first deletion it is announced again at once', () => {
    const deleted = (...agoMs: number[]) => ({
      lastAlert: alerted({ isGone: true }),
      incidentTurns: agoMs.map((ms) => turn(ms, true)),
    });
    expect(decideNow(deleted(1))).toEqual(announce('goes-on'));
    expect(decideNow(deleted(SAME_INCIDENT_MS - 1, 1))).toEqual(hold('pace'));
    expect(decideNow(deleted(SAME_INCIDENT_MS, 1))).toEqual(announce('goes-on'));
  });
});

describe('an ended incident', () => {
  const lastAlert = alerted();

  test('causes one alert for each relapse', () => {
    expect(decideNow({ lastAlert, relapses: 1 })).toEqual(announce('relapsed'));
    expect(decideNow({ lastAlert: { ...lastAlert, relapses: 1 }, relapses: 1 })).toEqual(PASS);
    expect(decideNow({ lastAlert: { ...lastAlert, relapses: 1 }, relapses: 2 })).toEqual(announce('relapsed'));
  });

  test.each(['recovering', 'resolved'] as const)('causes no alert while %s, unless it was never announced', (state) => {
    expect(decideNow({ lastAlert, relapses: 1, critical: true, failures: 10, state })).toEqual(PASS);
    expect(decideNow({ state })).toEqual(announce('new'));
    expect(decideNow({ state, missed: 1, lastAlert })).toEqual(announce('missed'));
  });

  test('grows only while it is firing', () => {
    expect(decideNow({ lastAlert, failures: 10, state: 'firing' })).toEqual(announce('grown'));
    expect(decideNow({ lastAlert, failures: 10, state: 'quiet' })).toEqual(PASS);
  });
});

describe("an incident's first critical workflow", () => {
  const lastAlert = alerted();

  test('causes one alert', () => {
    expect(decideNow({ lastAlert, critical: true })).toEqual(announce('critical'));
    expect(decideNow({ lastAlert: { ...lastAlert, wasCritical: true }, critical: true })).toEqual(PASS);
    expect(decideNow({ lastAlert, critical: false })).toEqual(PASS);
  });

  test('counts as a relapse if it is one', () => {
    expect(decideNow({ lastAlert, critical: true, relapses: 1 })).toEqual(announce('relapsed'));
  });
});

describe('an urgent alert', () => {
  const lastAlert = alerted();
  const TEN_MINUTES = 10 * 60_000;

  test.each([
    ['relapsed', { relapses: 1 }],
    ['critical', { critical: true }],
  ] as const)('waits ten minutes after any message about its group, not half an hour: %s', (reason, change) => {
    const decided = (...ago: number[]) => decideNow({ ...change, lastAlert, incidentTurns: ago.map((ms) => turn(ms)) });
    expect(decided(TEN_MINUTES - 1)).toEqual(hold('pace'));
    expect(decided(TEN_MINUTES)).toEqual(announce(reason));
    expect(decided(SAME_INCIDENT_MS - 1, TEN_MINUTES)).toEqual(announce(reason));
    expect(decided(SAME_INCIDENT_MS - 1, 0)).toEqual(hold('pace'));
  });

  test.each([
    ['a relapse', { relapses: 1 }],
    ['a first critical workflow', { critical: true }],
  ] as const)('waits no longer if a mute withheld failures too: %s', (_, change) => {
    const decided = (state: IncidentState, ago: number) =>
      decideNow({ ...change, lastAlert, state, missed: 3, incidentTurns: [turn(ago)] });
    expect(decided('firing', TEN_MINUTES - 1)).toEqual(hold('pace'));
    expect(decided('firing', TEN_MINUTES)).toEqual(announce('missed'));
    expect(decided('recovering', TEN_MINUTES)).toEqual(hold('pace'));
    expect(decided('recovering', SAME_INCIDENT_MS)).toEqual(announce('missed'));
  });

  test("doesn't wait if only its deleted message was posted lately", () => {
    const lost = { lastAlert: { ...lastAlert, isGone: true }, incidentTurns: [turn(1, true)] };
    expect(decideNow({ ...lost, relapses: 1 })).toEqual(announce('goes-on'));
  });

  test('waits no longer on the next day of an incident that relapsed then, unlike one that goes on', () => {
    const nextDay = { wasAlertedEarlier: true, incidentTurns: [turn(TEN_MINUTES)] };
    expect(decideNow({ ...nextDay, beganAs: 'relapsed' })).toEqual(announce('relapsed'));
    expect(decideNow({ ...nextDay, beganAs: 'goes-on' })).toEqual(hold('pace'));
  });

  test('also waits after a deleted message', () => {
    expect(decideNow({ relapses: 1, lastAlert, incidentTurns: [turn(1, true)] })).toEqual(hold('pace'));
  });

  test("doesn't wait for a message that a clock hours ahead dated into the future", () => {
    const twoHoursAhead = { incidentTurns: [turn(-2 * 3_600_000)] };
    expect(decideNow({ relapses: 1, lastAlert, ...twoHoursAhead })).toEqual(announce('relapsed'));
    expect(decideNow(twoHoursAhead)).toEqual(announce('new'));
    expect(decideNow({ relapses: 1, lastAlert, incidentTurns: [turn(-1)] })).toEqual(hold('pace'));
  });

  test('is held during quiet hours and while its incident is muted', () => {
    expect(decideNow({ relapses: 1, lastAlert }, ALL, 'quiet')).toEqual(hold('quiet'));
    expect(decideNow({ relapses: 1, lastAlert, mutedUntil: minutesLater(1) })).toEqual(hold('mute'));
    expect(decideNow({ relapses: 1, lastAlert, mutedUntil: NOON })).toEqual(announce('relapsed'));
  });
});

function turn(agoMs: number, isDeleted = false) {
  return { at: new Date(NOON.getTime() - agoMs), isDeleted };
}

describe('suppression', () => {
  const night = { quiet: { from: 22 * 60, to: 7 * 60 }, timeZone: 'Europe/Berlin' };
  const mute = { by: 'U1', from: NOON, until: minutesLater(60) };

  test('lasts as long as the whole watch is muted', () => {
    expect(holdReasonOf(night, mute, minutesLater(59))).toBe('mute');
    expect(holdReasonOf(night, mute, minutesLater(60))).toBeNull();
  });

  test("lasts through quiet hours in the watch's time zone", () => {
    expect(holdReasonOf(night, null, new Date('2026-05-04T19:59:00Z'))).toBeNull();
    expect(holdReasonOf(night, null, new Date('2026-05-04T20:00:00Z'))).toBe('quiet');
    expect(holdReasonOf(night, mute, new Date('2026-05-05T04:59:00Z'))).toBe('quiet');
    expect(holdReasonOf(night, null, new Date('2026-05-05T05:00:00Z'))).toBeNull();
  });
});
