import { expect, test } from 'vitest';
import { type AnnouncedEpisode, mergedAnnouncements, mergedDigest, type WaitingDigest } from './merged-digest.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 4, 4, 12, minute));

const FIRST: WaitingDigest = {
  isFirst: true,
  coveredFrom: at(0),
  coveredTo: at(1),
  events: 10,
  unreadable: 1,
  afterSeq: 5,
  toSeq: 8,
  heldBack: null,
};
const NEXT: WaitingDigest = { ...FIRST, isFirst: false, coveredFrom: at(1), coveredTo: at(3), afterSeq: 8, toSeq: 12 };

test('covers what the digests covered together', () => {
  expect(mergedDigest(FIRST, [NEXT])).toEqual({
    isFirst: true,
    coveredFrom: at(0),
    coveredTo: at(3),
    events: 20,
    unreadable: 2,
    afterSeq: 5,
    toSeq: 12,
    heldBack: null,
  });
});

test('is the first digest of an environment only if one of them is', () => {
  expect(mergedDigest(NEXT, [NEXT]).isFirst).toBe(false);
  expect(mergedDigest(NEXT, [NEXT, FIRST]).isFirst).toBe(true);
});

test('was held back from the first such time to the last; of two kinds, it names the first', () => {
  const quiet = (from: number, to: number) => ({ why: 'quiet', from: at(from), to: at(to) }) as const;
  const heldBack = (...held: WaitingDigest['heldBack'][]) =>
    mergedDigest(
      FIRST,
      held.map((one) => ({ ...NEXT, heldBack: one })),
    ).heldBack;
  expect(heldBack(null, quiet(3, 5))).toEqual(quiet(3, 5));
  expect(heldBack(quiet(3, 5), null, quiet(1, 6))).toEqual(quiet(1, 6));
  expect(heldBack(quiet(3, 5), { why: 'mute', from: at(0), to: at(9) })).toEqual(quiet(3, 5));
});

const KNOWN: AnnouncedEpisode = {
  episodeId: 1,
  reason: 'new',
  at: at(0),
  failures: 3,
  seq: 8,
  relapses: 0,
  wasCritical: false,
  missed: 2,
  hasOtherFilter: true,
};

test('announces an incident once, for its first reason, with its latest counts', () => {
  const later: AnnouncedEpisode = {
    ...KNOWN,
    reason: 'relapsed',
    at: at(2),
    failures: 9,
    seq: 12,
    relapses: 1,
    missed: 4,
    hasOtherFilter: false,
  };
  const other = { ...KNOWN, episodeId: 2, missed: null };
  expect(mergedAnnouncements([KNOWN, other, later])).toEqual([{ ...later, reason: 'new', missed: 6 }, other]);
});

test.for([
  [2, 4, 6],
  [2, null, 2],
  [null, 4, 4],
  [null, null, null],
] as const)('counts what mutes withheld before each alert: %s and then %s are %s', ([first, next, missed]) => {
  const announced = [first, next].map((missed) => ({ ...KNOWN, missed }));
  expect(mergedAnnouncements(announced)).toEqual([{ ...KNOWN, missed }]);
});
