import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COUNTED_ONLY_EVERY_MS, planDigest, type Round } from './digest.ts';
import { aCandidate, aWatch, minutesLater, NOON } from './news.testing.ts';
import { type Candidate, SAME_GROUP_MS } from './news.ts';
import type { WatchSettings } from './watch.ts';

const TOLD = { failures: 1, isGone: false };

function round(changes: Partial<Round> = {}, settings: Partial<WatchSettings> = {}): Round {
  return {
    watch: aWatch(settings),
    candidates: [],
    counted: {},
    lastNewsAt: null,
    countedOnly: null,
    mute: null,
    ...changes,
  };
}

describe('the digest of a round', () => {
  const plan = (changes: Partial<Round>, settings?: Partial<WatchSettings>) =>
    planDigest(round(changes, settings), NOON);

  it('is none where nothing is news', () => {
    expect(plan({})).toEqual({ message: null, held: [] });
    expect(plan({ candidates: [aCandidate({ told: TOLD })] })).toEqual({ message: null, held: [] });
  });

  it('tells all that is news in one message, the gravest first', () => {
    const candidates = [
      aCandidate({ episodeId: 1, failures: 2 }),
      aCandidate({ episodeId: 2, failures: 30, told: TOLD }),
      aCandidate({ episodeId: 3, failures: 4, missed: 3, beganAs: 'back' }),
      aCandidate({ episodeId: 4, told: TOLD }),
    ];
    expect(plan({ candidates }).message).toMatchObject({
      kind: 'new-groups',
      rows: [
        { episodeId: 2, reason: 'grown', failures: 30, missed: null },
        { episodeId: 3, reason: 'missed', failures: 4, missed: 3 },
        { episodeId: 1, reason: 'new', failures: 2, missed: null },
      ],
      heldBack: null,
    });
  });

  it('mentions whoever the watch names, unless all of it is acknowledged', () => {
    const mention = { kind: 'user-group', id: 'S1' } as const;
    const acknowledged = aCandidate({ episodeId: 1, isAcknowledged: true });
    const mentioned = (candidates: Candidate[]) => plan({ candidates }, { mention }).message;
    expect(mentioned([acknowledged])).toMatchObject({ mention: null });
    expect(mentioned([acknowledged, aCandidate({ episodeId: 2 })])).toMatchObject({ mention });
    expect(plan({ candidates: [aCandidate()] }).message).toMatchObject({ mention: null });
  });

  it('comes at most once in the time that the watch sets', () => {
    const paced = { candidates: [aCandidate()], lastNewsAt: minutesLater(-14) };
    expect(plan(paced, { everyMs: 15 * 60_000 })).toEqual({ message: null, held: [{ episodeId: 1, why: 'pace' }] });
    expect(plan(paced, { everyMs: 14 * 60_000 }).message).toMatchObject({ kind: 'new-groups' });
  });

  it('says which quiet time held it back', () => {
    const quiet = { from: 9 * 60, to: 11 * 60 };
    const held = { why: 'quiet', since: minutesLater(-150) } as const;
    const candidates = [aCandidate({ episodeId: 1, held }), aCandidate({ episodeId: 2 })];
    const heldBack = { why: 'quiet', from: minutesLater(-180), to: minutesLater(-60) };
    expect(plan({ candidates }, { quiet }).message).toMatchObject({ heldBack });
    const changed = { why: 'quiet', from: held.since, to: NOON };
    expect(plan({ candidates }).message).toMatchObject({ heldBack: changed });
  });

  it('says which mute of the whole watch held it back, not that a group was muted', () => {
    const held = { why: 'mute', since: minutesLater(-150) } as const;
    const mute = { by: 'U1', from: minutesLater(-180), until: NOON };
    const candidates = [aCandidate({ missed: 1, held })];
    const heldBack = { why: 'mute', from: mute.from, to: NOON };
    expect(plan({ candidates, mute }).message).toMatchObject({ heldBack });
    expect(plan({ candidates }).message).toMatchObject({ heldBack: null });
  });
});

describe('what is only counted', () => {
  const counted = { undeliverable: 3 };
  const kindOf = (changes: Partial<Round>, settings?: Partial<WatchSettings>) =>
    planDigest(round({ counted, ...changes }, settings), NOON).message?.kind;
  const wroteAgo = (ms: number, countsOn: boolean) => ({
    countedOnly: { writtenAt: new Date(NOON.getTime() - ms), countsOn },
  });

  it('opens a message of its own', () => {
    expect(kindOf({})).toBe('counted-only');
  });

  it('stands in the digest where there is one', () => {
    expect(kindOf({ candidates: [aCandidate()] })).toBe('new-groups');
  });

  it('counts on in its message as long as that is the last', () => {
    expect(kindOf(wroteAgo(COUNTED_ONLY_EVERY_MS - 1, true))).toBe('extended-counted-only');
  });

  it('opens at most one message a day', () => {
    expect(kindOf(wroteAgo(COUNTED_ONLY_EVERY_MS - 1, false))).toBeUndefined();
    expect(kindOf(wroteAgo(COUNTED_ONLY_EVERY_MS, false))).toBe('counted-only');
    expect(kindOf(wroteAgo(COUNTED_ONLY_EVERY_MS, true))).toBe('counted-only');
  });

  it('waits while the watch is silent, and goes on counting without a sound', () => {
    const quiet = { from: 11 * 60, to: 13 * 60 };
    expect(kindOf({}, { quiet })).toBeUndefined();
    expect(kindOf({ mute: { by: 'U1', from: NOON, until: minutesLater(1) } })).toBeUndefined();
    expect(kindOf(wroteAgo(1, true), { quiet })).toBe('extended-counted-only');
  });
});

/** What a store remembers of one episode for one watch, in a few words. */
interface Known {
  failures: number;
  told: { failures: number; isGone: boolean } | null;
  groupToldAt: Date | null;
  held: Candidate['held'];
  missed: number;
  isFresh: boolean;
}

const MINUTES_A_STEP = 10;
const step = fc.record({
  /** How many failures come for each of the episodes. */
  failures: fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 3, maxLength: 3 }),
  muted: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  gone: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  isAllMuted: fc.boolean(),
});

describe('the digests of many rounds', () => {
  const quiet = { from: 13 * 60, to: 14 * 60 };

  it('tell every episode, none without a reason, a group once in half an hour, and nothing in silence', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), fc.integer({ min: 0, max: 30 }), (steps, everyMinutes) => {
        const watch = aWatch({ quiet, everyMs: everyMinutes * 60_000 });
        const known = [0, 1, 2].map(
          (): Known => ({ failures: 0, told: null, groupToldAt: null, held: null, missed: 0, isFresh: false }),
        );
        let lastNewsAt: Date | null = null;
        const calm = {
          failures: [0, 0, 0],
          muted: [false, false, false],
          gone: [false, false, false],
          isAllMuted: false,
        };
        const story = [...steps, ...Array.from({ length: 12 }, () => calm)];
        for (const [index, { failures, muted, gone, isAllMuted }] of story.entries()) {
          const now = minutesLater(index * MINUTES_A_STEP);
          known.forEach((episode, id) => {
            const added = failures[id] ?? 0;
            episode.failures += added;
            episode.isFresh = added > 0;
            if (added > 0 && episode.told !== null && gone[id] === true) {
              episode.told = { ...episode.told, isGone: true };
              episode.groupToldAt = null;
            }
            if (isAllMuted || muted[id] === true) episode.missed += added;
          });
          const isMuted = (id: number) => muted[id] === true;
          const candidates = known.flatMap((episode, id) =>
            episode.isFresh || episode.held
              ? [
                  aCandidate({
                    episodeId: id,
                    failures: episode.failures,
                    told: episode.told,
                    groupToldAt: episode.groupToldAt,
                    held: episode.held,
                    isMuted: isMuted(id),
                    missed: isMuted(id) ? 0 : episode.missed,
                  }),
                ]
              : [],
          );
          const mute = isAllMuted ? { by: 'U1', from: now, until: minutesLater(index * MINUTES_A_STEP + 1) } : null;
          const { message, held } = planDigest(round({ watch, candidates, lastNewsAt, mute }), now);
          for (const episode of known) episode.held = null;
          for (const { episodeId, why } of held) {
            const episode = known[episodeId];
            if (episode) episode.held = { why, since: now };
          }
          if (message?.kind !== 'new-groups') continue;
          const minute = (index * MINUTES_A_STEP) % 1440;
          expect(isAllMuted || (minute >= 60 && minute < 120)).toBe(false);
          expect(lastNewsAt === null || now.getTime() - lastNewsAt.getTime() >= watch.settings.everyMs).toBe(true);
          lastNewsAt = now;
          for (const row of message.rows) {
            const episode = known[row.episodeId];
            if (episode === undefined) throw new Error('a row without an episode');
            expect(isMuted(row.episodeId)).toBe(false);
            if (episode.groupToldAt)
              expect(now.getTime() - episode.groupToldAt.getTime()).toBeGreaterThanOrEqual(SAME_GROUP_MS);
            if (row.reason === 'new') expect(episode.told).toBeNull();
            if (row.reason === 'grown')
              expect(episode.failures).toBeGreaterThanOrEqual(10 * (episode.told?.failures ?? 0));
            if (row.reason === 'missed') expect(row.missed).toBe(episode.missed);
            Object.assign(episode, {
              told: { failures: episode.failures, isGone: false },
              groupToldAt: now,
              missed: 0,
            });
          }
        }
        for (const episode of known) {
          expect(episode.held).toBeNull();
          expect(episode.failures === 0 || episode.told !== null).toBe(true);
          expect(episode.missed).toBe(0);
          expect(episode.told?.isGone ?? false).toBe(false);
        }
      }),
    );
  });
});
