import { expect, test } from 'vitest';
import { aWatch } from '../watches/watch.testing.ts';
import { createUncovered } from './uncovered.ts';

const SEEN = { id: 7, environment: 'production', recorded: 3 };

test('what a watch covers nothing of is known until more is recorded, for each watch and environment', () => {
  const [watch, other] = [aWatch({ id: 'one' }), aWatch({ id: 'other' })];
  const uncovered = createUncovered();
  uncovered.note(watch, 'production', [SEEN]);
  uncovered.note(watch, 'staging', []);
  uncovered.note(other, 'production', []);
  expect(uncovered.has(watch, SEEN)).toBe(true);
  expect(uncovered.has(watch, { ...SEEN, recorded: 4 })).toBe(false);
  expect(uncovered.has(watch, { ...SEEN, id: 8 })).toBe(false);
  expect(uncovered.has(watch, { ...SEEN, environment: 'staging' })).toBe(false);
  expect(uncovered.has(other, SEEN)).toBe(false);
  uncovered.note(watch, 'production', []);
  expect(uncovered.has(watch, SEEN)).toBe(false);
});
