import { expect, test } from 'vitest';
import { openTotal } from './home.ts';

test('open incidents are those that fail and those that are quiet, in all environments', () => {
  const staging = { environment: 'staging', failing: 0, quiet: 4 };
  expect(openTotal([{ environment: 'production', failing: 2, quiet: 1 }, staging])).toBe(7);
  expect(openTotal([])).toBe(0);
});
