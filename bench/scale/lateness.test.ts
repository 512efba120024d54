import { describe, expect, test } from 'vitest';
import { firstPollsAfter, latenessOf, type Poll } from './lateness.ts';

const MINUTE = 60_000;

describe('the lateness of polls', () => {
  test('is what exceeds the poll interval between two polls of an environment', () => {
    const polls: Poll[] = [
      [1, 0],
      [2, 500],
      [1, MINUTE],
      [2, MINUTE + 200],
      [1, 2 * MINUTE + 3_000],
    ];
    expect(latenessOf(polls, MINUTE)).toEqual({ environments: 2, p50Ms: 0, p99Ms: 3_000, longestMs: 3_000 });
  });

  test('takes two requests at the same moment for one poll, and leaves out an environment that was polled once', () => {
    const polls: Poll[] = [
      [1, 0],
      [1, 400],
      [1, MINUTE],
      [2, 0],
    ];
    expect(latenessOf(polls, MINUTE)).toMatchObject({ environments: 1, longestMs: 0 });
  });

  test('begins with a takeover at the first poll after a time', () => {
    const polls: Poll[] = [
      [1, 10],
      [2, 20],
      [1, 70],
      [1, 130],
    ];
    expect([...firstPollsAfter(polls, 60)]).toEqual([[1, 10]]);
  });
});
