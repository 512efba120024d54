import { expect, test } from 'vitest';
import { together } from './together.ts';

test('who asks at the same time gets one answer, and who asks later another', async () => {
  let calls = 0;
  const ask = together(async () => ++calls);
  expect([...(await Promise.all([ask(), ask()])), await ask()]).toEqual([1, 1, 2]);
});
