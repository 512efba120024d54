import { describe, expect, test } from 'vitest';
import type { WatchSettings } from '../watches/watch.ts';
import { aCandidate, aWatch, minutesLater, NOON } from './alert-decision.testing.ts';
import type { Candidate } from './alert-decision.ts';
import { type Announcing, planDigest } from './digest.ts';

const TOLD = { failures: 1, isGone: false, relapses: 0, wasCritical: false };

function announcing(changes: Partial<Announcing> = {}, settings: Partial<WatchSettings> = {}): Announcing {
  return {
    watch: aWatch(settings),
    candidates: [],
    lastAlertAt: null,
    mute: null,
    ...changes,
  };
}

describe("a poll's digest", () => {
  const plan = (changes: Partial<Announcing>, settings?: Partial<WatchSettings>) =>
    planDigest(announcing(changes, settings), NOON);

  test('is none if nothing needs an alert', () => {
    expect(plan({})).toEqual({ message: null, held: [] });
    expect(plan({ candidates: [aCandidate({ lastAlert: TOLD })] })).toEqual({ message: null, held: [] });
  });

  test('has all alerts in one message, the most severe first', () => {
    const candidates = [
      aCandidate({ episodeId: 1, failures: 2 }),
      aCandidate({ episodeId: 2, failures: 30, lastAlert: TOLD }),
      aCandidate({ episodeId: 3, failures: 4, missed: 3, beganAs: 'back' }),
      aCandidate({ episodeId: 4, lastAlert: TOLD }),
    ];
    expect(plan({ candidates }).message).toMatchObject({
      rows: [
        { episodeId: 2, reason: 'grown', failures: 30, missed: null },
        { episodeId: 3, reason: 'missed', failures: 4, missed: 3 },
        { episodeId: 1, reason: 'new', failures: 2, missed: null },
      ],
      heldBack: null,
    });
  });

  test('mentions whom the watch names, unless all of it is acknowledged', () => {
    const mention = { kind: 'user-group', id: 'S1' } as const;
    const acknowledged = aCandidate({ episodeId: 1, isAcknowledged: true });
    const mentioned = (candidates: Candidate[]) => plan({ candidates }, { mention }).message;
    expect(mentioned([acknowledged])).toMatchObject({ mention: null });
    expect(mentioned([acknowledged, aCandidate({ episodeId: 2 })])).toMatchObject({ mention });
    expect(plan({ candidates: [aCandidate()] }).message).toMatchObject({ mention: null });
  });

  test("comes at most once per the watch's interval", () => {
    const paced = { candidates: [aCandidate()], lastAlertAt: minutesLater(-14) };
    expect(plan(paced, { everyMs: 15 * 60_000 })).toEqual({ message: null, held: [{ episodeId: 1, why: 'pace' }] });
    expect(plan(paced, { everyMs: 14 * 60_000 }).message).toMatchObject({ rows: [{ episodeId: 1 }] });
  });

  test("isn't held by a message that a faster clock dated into the future, except within the watch's interval of it", () => {
    const ahead = (minutes: number) => ({ candidates: [aCandidate()], lastAlertAt: minutesLater(minutes) });
    expect(plan(ahead(0.75)).message).toMatchObject({ rows: [{ episodeId: 1 }] });
    expect(plan(ahead(120), { everyMs: 15 * 60_000 }).message).toMatchObject({ rows: [{ episodeId: 1 }] });
    expect(plan(ahead(0.75), { everyMs: 15 * 60_000 })).toEqual({
      message: null,
      held: [{ episodeId: 1, why: 'pace' }],
    });
  });

  test('says which quiet hours held it back', () => {
    const quiet = { from: 9 * 60, to: 11 * 60 };
    const held = { why: 'quiet', since: minutesLater(-150) } as const;
    const candidates = [aCandidate({ episodeId: 1, held }), aCandidate({ episodeId: 2 })];
    const heldBack = { why: 'quiet', from: minutesLater(-180), to: minutesLater(-60) };
    expect(plan({ candidates }, { quiet }).message).toMatchObject({ heldBack });
    const changed = { why: 'quiet', from: held.since, to: NOON };
    expect(plan({ candidates }).message).toMatchObject({ heldBack: changed });
  });

  test('says that it was held from the start of the first quiet hours, in whatever order incidents come', () => {
    const heldSince = (minutes: number) => ({ why: 'quiet', since: minutesLater(minutes) }) as const;
    const candidates = [-60, -150, -90].map((minutes, episodeId) =>
      aCandidate({ episodeId, held: heldSince(minutes) }),
    );
    expect(plan({ candidates }).message).toMatchObject({ heldBack: { from: minutesLater(-150), to: NOON } });
  });

  test('names the mute of the whole watch if one of several incidents waited for its end', () => {
    const mute = { by: 'U1', from: minutesLater(-180), until: NOON };
    const held = { why: 'mute', since: minutesLater(-150) } as const;
    const candidates = [aCandidate({ episodeId: 1, missed: 1, held }), aCandidate({ episodeId: 2 })];
    expect(plan({ candidates, mute }).message).toMatchObject({ heldBack: { why: 'mute' } });
    const larger = aCandidate({ episodeId: 3, failures: 9 });
    expect(plan({ candidates: [larger, ...candidates], mute }).message).toMatchObject({ heldBack: { why: 'mute' } });
    const paced = [aCandidate({ held: { why: 'pace', since: minutesLater(-150) } })];
    expect(plan({ candidates: paced, mute }).message).toMatchObject({ heldBack: null });
    const atItsEnd = [aCandidate({ missed: 1, held: { why: 'mute', since: NOON } })];
    expect(plan({ candidates: atItsEnd, mute }).message).toMatchObject({ heldBack: null });
  });

  test("names the whole watch's mute, not an incident's, as what held it back", () => {
    const held = { why: 'mute', since: minutesLater(-150) } as const;
    const mute = { by: 'U1', from: minutesLater(-180), until: NOON };
    const candidates = [aCandidate({ missed: 1, held })];
    const heldBack = { why: 'mute', from: mute.from, to: NOON };
    expect(plan({ candidates, mute }).message).toMatchObject({ heldBack });
    expect(plan({ candidates }).message).toMatchObject({ heldBack: null });
  });

  test("doesn't name a whole-watch mute that ended before the incident's own, or before the incident was held", () => {
    const mute = { by: 'U1', from: minutesLater(-180), until: minutesLater(-60) };
    const heldBackOf = (since: Date, mutedUntil: Date | null) => {
      const candidates = [aCandidate({ missed: 1, held: { why: 'mute', since }, mutedUntil })];
      return plan({ candidates, mute }).message;
    };
    const named = { heldBack: { why: 'mute', from: mute.from, to: mute.until } };
    expect(heldBackOf(minutesLater(-150), null)).toMatchObject(named);
    expect(heldBackOf(minutesLater(-150), minutesLater(-60))).toMatchObject(named);
    expect(heldBackOf(minutesLater(-150), minutesLater(-59))).toMatchObject({ heldBack: null });
    expect(heldBackOf(minutesLater(-50), null)).toMatchObject({ heldBack: null });
  });
});
