import { expect, test } from 'vitest';
import { doubled } from './waiting.ts';

test('doubles the pause each time, up to the longest, any number of times', () => {
  expect([0, 1, 2, 3, 10_000].map((times) => doubled(5, times, 30))).toEqual([5, 10, 20, 30, 30]);
});
