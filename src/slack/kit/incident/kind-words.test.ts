import { expect, test } from 'vitest';
import { percent } from './kind-words.ts';

test.each([
  [0, 10, '0%'],
  [1, 100_000, 'under 0.1%'],
  [1, 1_000, '0.1%'],
  [14, 1_000, '1.4%'],
  [999, 10_000, '10%'],
  [61, 500, '12%'],
  [990, 1_000, '99%'],
  [992, 1_000, '99.2%'],
  [999, 1_000, '99.9%'],
  [1_249, 1_250, 'over 99.9%'],
  [99_999, 100_000, 'over 99.9%'],
  [53, 53, '100%'],
])('%i of %i are %s: nothing and all are said of nothing and all only', (part, whole, words) => {
  expect(percent(part, whole)).toBe(words);
});
