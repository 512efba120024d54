import { expect, test } from 'vitest';
import { finished, paced, type Steps } from './scrub.ts';

function* working(steps: readonly number[]): Steps<string> {
  for (const characters of steps) yield characters;
  return 'done';
}

async function pausesIn(...steps: number[]): Promise<number> {
  let pauses = 0;
  expect(await paced(working(steps), async () => pauses++)).toBe('done');
  return pauses;
}

test('work that is not paced ends at once, with its result', () => {
  expect(finished(working([4_000, 40_000]))).toBe('done');
});

test('gives others their turn after 10,000 characters, in one step or in several', async () => {
  expect(await pausesIn(10_000)).toBe(1);
  expect(await pausesIn(9_999)).toBe(0);
  expect(await pausesIn(4_000, 4_000, 4_000)).toBe(1);
  expect(await pausesIn(40_000, 40_000)).toBe(2);
});

test('counts from the last turn of others', async () => {
  expect(await pausesIn(9_000, 9_000, 9_000)).toBe(1);
});
