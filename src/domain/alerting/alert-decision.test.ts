import { describe, expect, it } from 'vitest';
import { EVERYTHING, type WatchSettings } from '../watches/watch.ts';
import { aCandidate, minutesLater, NOON } from './alert-decision.testing.ts';
import { decide, type HoldReason, holdReasonOf, SAME_GROUP_MS } from './alert-decision.ts';

const ALL = { filter: EVERYTHING, threshold: null };
const PASS = { decision: 'pass' };
const tell = (reason: string) => ({ decision: 'tell', reason });
const hold = (why: HoldReason) => ({ decision: 'hold', why });

const decideNow = (
  candidate: Parameters<typeof aCandidate>[0],
  settings: Pick<WatchSettings, 'filter' | 'threshold'> = ALL,
  suppression: HoldReason | null = null,
) => decide(aCandidate(candidate), settings, suppression, NOON);

describe('what a watch is alerted to of an episode', () => {
  it.each(['new', 'back', 'goes-on'] as const)('is that it began, as %s', (beganAs) => {
    expect(decideNow({ beganAs })).toEqual(tell(beganAs));
  });

  it('is nothing more once it was announced', () => {
    expect(
      decideNow({ failures: 9, lastAlert: { failures: 1, isGone: false, relapses: 0, wasCritical: false } }),
    ).toEqual(PASS);
  });

  it('is that it up 10× since', () => {
    expect(
      decideNow({ failures: 29, lastAlert: { failures: 3, isGone: false, relapses: 0, wasCritical: false } }),
    ).toEqual(PASS);
    expect(
      decideNow({ failures: 30, lastAlert: { failures: 3, isGone: false, relapses: 0, wasCritical: false } }),
    ).toEqual(tell('grown'));
  });

  it('is that it goes on, where the message that announced it is gone', () => {
    expect(
      decideNow({ failures: 3, lastAlert: { failures: 3, isGone: true, relapses: 0, wasCritical: false } }),
    ).toEqual(tell('goes-on'));
  });

  it('is what a mute kept from it, whether it was announced before or not', () => {
    expect(decideNow({ missed: 1 })).toEqual(tell('missed'));
    expect(
      decideNow({ failures: 3, missed: 1, lastAlert: { failures: 2, isGone: false, relapses: 0, wasCritical: false } }),
    ).toEqual(tell('missed'));
  });

  it('is nothing of a group that it is not about', () => {
    const sms = { filter: { ...EVERYTHING, channels: ['sms'] }, threshold: null };
    expect(decideNow({ missed: 1 }, sms)).toEqual(PASS);
    expect(decideNow({ mutedUntil: minutesLater(1) }, sms)).toEqual(PASS);
  });

  it('is an incident of which it is about a part', () => {
    const email = { filter: { ...EVERYTHING, workflows: ['order-shipped'] }, threshold: null };
    const [part] = aCandidate().parts;
    const other = part && { ...part, workflow: 'welcome', workflowName: 'Welcome' };
    expect(decideNow({ parts: [other, part].filter((one) => one !== undefined) }, email)).toEqual(tell('new'));
    expect(decideNow({ parts: [other].filter((one) => one !== undefined) }, email)).toEqual(PASS);
  });
});

describe('the threshold of a watch', () => {
  const fiveIn10 = { filter: EVERYTHING, threshold: { failures: 5, withinMs: 600_000, rate: null } };
  const minutes = { failures: new Map([[NOON.getTime(), 5]]), events: new Map() };

  it('keeps an episode from it until it is reached', () => {
    expect(decideNow({ failures: 5 }, fiveIn10)).toEqual(PASS);
    expect(decideNow({ failures: 5, missed: 5 }, fiveIn10)).toEqual(PASS);
    expect(decideNow({ failures: 5, minutes }, fiveIn10)).toEqual(tell('new'));
  });

  it('does not hold back news of an episode that was announced', () => {
    expect(
      decideNow({ failures: 10, lastAlert: { failures: 1, isGone: false, relapses: 0, wasCritical: false } }, fiveIn10),
    ).toEqual(tell('grown'));
  });
});

describe('what is kept for later', () => {
  it.each(['quiet', 'pace'] as const)('is what would be announced, in a time of %s', (why) => {
    expect(decideNow({}, ALL, why)).toEqual(hold(why));
    expect(
      decideNow({ failures: 10, lastAlert: { failures: 1, isGone: false, relapses: 0, wasCritical: false } }, ALL, why),
    ).toEqual(hold(why));
    expect(
      decideNow({ failures: 9, lastAlert: { failures: 1, isGone: false, relapses: 0, wasCritical: false } }, ALL, why),
    ).toEqual(PASS);
  });

  it('is all that fails while it is muted, to say at the end what was missed', () => {
    const lastAlert = { failures: 1, isGone: false, relapses: 0, wasCritical: false };
    expect(decideNow({ mutedUntil: minutesLater(1) })).toEqual(hold('mute'));
    expect(decideNow({ mutedUntil: minutesLater(1), failures: 2, lastAlert })).toEqual(hold('mute'));
    expect(decideNow({ failures: 2, lastAlert }, ALL, 'mute')).toEqual(hold('mute'));
  });

  it('is what comes within half an hour after the group was announced', () => {
    const lastAlert = { failures: 1, isGone: false, relapses: 0, wasCritical: false };
    const alertedAgo = (ms: number) => ({ failures: 10, lastAlert, groupTurns: [turn(ms)] });
    expect(decideNow(alertedAgo(SAME_GROUP_MS - 1))).toEqual(hold('pace'));
    expect(decideNow(alertedAgo(SAME_GROUP_MS))).toEqual(tell('grown'));
  });

  it('is a group whose message was deleted twice within half an hour; the first time it is announced again at once', () => {
    const deleted = (...agoMs: number[]) => ({
      lastAlert: { failures: 1, isGone: true, relapses: 0, wasCritical: false },
      groupTurns: agoMs.map((ms) => turn(ms, true)),
    });
    expect(decideNow(deleted(1))).toEqual(tell('goes-on'));
    expect(decideNow(deleted(SAME_GROUP_MS - 1, 1))).toEqual(hold('pace'));
    expect(decideNow(deleted(SAME_GROUP_MS, 1))).toEqual(tell('goes-on'));
  });
});

describe('an incident that was over', () => {
  const lastAlert = { failures: 1, isGone: false, relapses: 0, wasCritical: false };

  it('is news again with each relapse, once', () => {
    expect(decideNow({ lastAlert, relapses: 1 })).toEqual(tell('relapsed'));
    expect(decideNow({ lastAlert: { ...lastAlert, relapses: 1 }, relapses: 1 })).toEqual(PASS);
    expect(decideNow({ lastAlert: { ...lastAlert, relapses: 1 }, relapses: 2 })).toEqual(tell('relapsed'));
  });

  it.each(['recovering', 'resolved'] as const)(
    'needs nobody while it is %s, unless nobody has heard of it',
    (state) => {
      expect(decideNow({ lastAlert, relapses: 1, critical: true, failures: 10, state })).toEqual(PASS);
      expect(decideNow({ state })).toEqual(tell('new'));
      expect(decideNow({ state, missed: 1, lastAlert })).toEqual(tell('missed'));
    },
  );

  it('grows only while it fires', () => {
    expect(decideNow({ lastAlert, failures: 10, state: 'firing' })).toEqual(tell('grown'));
    expect(decideNow({ lastAlert, failures: 10, state: 'quiet' })).toEqual(PASS);
  });
});

describe('the first critical workflow of an incident', () => {
  const lastAlert = { failures: 1, isGone: false, relapses: 0, wasCritical: false };

  it('is news, once', () => {
    expect(decideNow({ lastAlert, critical: true })).toEqual(tell('critical'));
    expect(decideNow({ lastAlert: { ...lastAlert, wasCritical: true }, critical: true })).toEqual(PASS);
    expect(decideNow({ lastAlert, critical: false })).toEqual(PASS);
  });

  it('is a relapse where it is one', () => {
    expect(decideNow({ lastAlert, critical: true, relapses: 1 })).toEqual(tell('relapsed'));
  });
});

describe('what is urgent', () => {
  const lastAlert = { failures: 1, isGone: false, relapses: 0, wasCritical: false };
  const TEN_MINUTES = 10 * 60_000;

  it.each([
    ['relapsed', { relapses: 1 }],
    ['critical', { critical: true }],
  ] as const)('waits ten minutes after any message about its group, not half an hour: %s', (reason, change) => {
    const decided = (...ago: number[]) => decideNow({ ...change, lastAlert, groupTurns: ago.map((ms) => turn(ms)) });
    expect(decided(TEN_MINUTES - 1)).toEqual(hold('pace'));
    expect(decided(TEN_MINUTES)).toEqual(tell(reason));
    expect(decided(SAME_GROUP_MS - 1, TEN_MINUTES)).toEqual(tell(reason));
    expect(decided(SAME_GROUP_MS - 1, 0)).toEqual(hold('pace'));
  });

  it('waits for a deleted message too', () => {
    expect(decideNow({ relapses: 1, lastAlert, groupTurns: [turn(1, true)] })).toEqual(hold('pace'));
  });

  it('is held while the watch is in quiet hours or its group is muted', () => {
    expect(decideNow({ relapses: 1, lastAlert }, ALL, 'quiet')).toEqual(hold('quiet'));
    expect(decideNow({ relapses: 1, lastAlert, mutedUntil: minutesLater(1) })).toEqual(hold('mute'));
    expect(decideNow({ relapses: 1, lastAlert, mutedUntil: NOON })).toEqual(tell('relapsed'));
  });
});

/** A message so many milliseconds before noon. */
function turn(agoMs: number, isDeleted = false) {
  return { at: new Date(NOON.getTime() - agoMs), isDeleted };
}

describe('silence', () => {
  const night = { quiet: { from: 22 * 60, to: 7 * 60 }, timeZone: 'Europe/Berlin' };
  const mute = { by: 'U1', from: NOON, until: minutesLater(60) };

  it('is kept as long as the whole watch is muted', () => {
    expect(holdReasonOf(night, mute, minutesLater(59))).toBe('mute');
    expect(holdReasonOf(night, mute, minutesLater(60))).toBeNull();
  });

  it("is kept in the quiet time, by the clocks of the watch's zone", () => {
    expect(holdReasonOf(night, null, new Date('2026-05-04T19:59:00Z'))).toBeNull();
    expect(holdReasonOf(night, null, new Date('2026-05-04T20:00:00Z'))).toBe('quiet');
    expect(holdReasonOf(night, mute, new Date('2026-05-05T04:59:00Z'))).toBe('quiet');
    expect(holdReasonOf(night, null, new Date('2026-05-05T05:00:00Z'))).toBeNull();
  });
});
