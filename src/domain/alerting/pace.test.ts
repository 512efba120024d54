import { describe, expect, test } from 'vitest';
import { freeEdits, pauseBeforeEdit, pauseBeforePost } from './pace.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

test('a post is retried after two seconds, then after twice as long each time, up to five minutes', () => {
  expect([1, 2, 3].map(pauseBeforePost)).toEqual([2 * SECOND, 4 * SECOND, 8 * SECOND]);
  expect([8, 9, 100].map(pauseBeforePost)).toEqual([256 * SECOND, 5 * MINUTE, 5 * MINUTE]);
});

test('an edit is retried after half a minute, then after twice as long each time, up to half an hour', () => {
  expect([1, 2, 3].map(pauseBeforeEdit)).toEqual([MINUTE / 2, MINUTE, 2 * MINUTE]);
  expect([6, 7, 100].map(pauseBeforeEdit)).toEqual([16 * MINUTE, 30 * MINUTE, 30 * MINUTE]);
});

describe('the edits of a minute', () => {
  test.for([
    [0, 'all'],
    [19, 'all'],
    [20, 'state changes'],
    [29, 'state changes'],
    [30, 'none'],
    [31, 'none'],
  ] as const)('are at most thirty, at most twenty of them of counts: after %i, %s', ([edits, free]) => {
    expect(freeEdits(edits)).toBe(free);
  });
});
