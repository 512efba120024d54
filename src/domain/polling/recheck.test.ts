import { describe, expect, test } from 'vitest';
import { at } from '../service/event.testing.ts';
import { deadlineOf, PAST_PARTS, pagesOfPresent } from './recheck.ts';

const MINUTE = 60_000;

describe('the time of a part of the past', () => {
  test('ends after 40%, 60% and 90% of the time between two rechecks', () => {
    const ends = PAST_PARTS.map((part) => deadlineOf(part, at(0), at(0), 100_000).until);
    expect(ends).toEqual([at(40), at(60), at(90)]);
  });

  test('is counted from the beginning of the recheck, even if earlier parts took long', () => {
    expect(deadlineOf('gaps', at(0), at(50), 100_000).until).toEqual(at(60));
  });

  test('is a twentieth even for a part whose turn comes after its time', () => {
    expect(deadlineOf('gaps', at(0), at(300), 100_000).until).toEqual(at(305));
  });

  test('leaves a request that has begun within it another 40 seconds, for its three attempts', () => {
    expect(deadlineOf('gaps', at(0), at(20), 100_000)).toEqual({ until: at(60), abortAfterMs: 80_000 });
  });
});

describe('the pages that polls take in a minute', () => {
  test('are at least one for each poll', () => {
    expect(pagesOfPresent(0, MINUTE)).toBe(1);
    expect(pagesOfPresent(0, MINUTE / 4)).toBe(4);
  });

  test('show each event twice if polls are a minute apart, because windows overlap by a minute', () => {
    expect(pagesOfPresent(25, MINUTE)).toBe(1);
    expect(pagesOfPresent(26, MINUTE)).toBe(2);
    expect(pagesOfPresent(1_000, MINUTE)).toBe(40);
  });

  test('are fewer the further polls are apart', () => {
    expect(pagesOfPresent(1_000, 2 * MINUTE)).toBe(30);
    expect(pagesOfPresent(1_000, MINUTE / 2)).toBe(60);
  });

  test('are rounded up', () => {
    expect(pagesOfPresent(0, 40_000)).toBe(2);
  });
});
