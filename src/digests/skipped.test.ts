import { expect, test } from 'vitest';
import { aWatch } from '../watches/watch.testing.ts';
import { createSkipped } from './skipped.ts';

const SEEN = { id: 7, environment: 'production', recorded: 3, isDue: false };

test('what is no news to a watch is known until more is recorded or it is due, for each watch and environment', () => {
  const [watch, other] = [aWatch({ id: 'one' }), aWatch({ id: 'other' })];
  const skipped = createSkipped();
  skipped.note(watch, 'production', [SEEN]);
  skipped.note(watch, 'staging', []);
  skipped.note(other, 'production', []);
  expect(skipped.has(watch, SEEN)).toBe(true);
  expect(skipped.has(watch, { ...SEEN, recorded: 4 })).toBe(false);
  expect(skipped.has(watch, { ...SEEN, id: 8 })).toBe(false);
  expect(skipped.has(watch, { ...SEEN, isDue: true })).toBe(false);
  expect(skipped.has(watch, { ...SEEN, environment: 'staging' })).toBe(false);
  expect(skipped.has(other, SEEN)).toBe(false);
  skipped.note(watch, 'production', []);
  expect(skipped.has(watch, SEEN)).toBe(false);
});
