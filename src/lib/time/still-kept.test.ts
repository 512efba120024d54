import { expect, test } from 'vitest';
import { isStillKept } from './waiting.ts';

test.for([
  ['at once', 1_000, true],
  ['until its time is over', 1_499, true],
  ['not once its time is over', 1_500, false],
  ['not if the clock was set back to before', 999, false],
] as const)('what is kept for a while can be used: %s', ([, now, is]) => {
  expect(isStillKept(1_000, 500, now)).toBe(is);
});
