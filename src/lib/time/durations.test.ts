import { expect, test } from 'vitest';
import { describeDuration } from './durations.ts';

test.each([
  [0, '0 s'],
  [100_000, '100 s'],
  [3_600_000, '1 h'],
  [5_400_000, '90 min'],
  [-1, '0 s'],
])('describeDuration of %d ms is %s', (ms, words) => {
  expect(describeDuration(ms)).toBe(words);
});
