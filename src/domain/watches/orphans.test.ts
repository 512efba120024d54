import { expect, test } from 'vitest';
import { orphanEndsAt } from './orphans.ts';

test('a watch ends a week after its creator was found gone', () => {
  expect(orphanEndsAt(new Date('2026-03-04T12:00:00Z'))).toEqual(new Date('2026-03-11T12:00:00Z'));
});
