import { expect, test } from 'vitest';
import { z } from 'zod';
import { Count, rowWith } from './row.ts';

const Row = rowWith({ id: Count, checkedTo: z.date(), lastSuccessAt: z.date().nullable() });
const NOON = new Date('2026-03-04T12:00:00Z');

test('a row is read into fields in camel case, without columns that are not asked for', () => {
  const row = { id: '7', checked_to: NOON, last_success_at: null, other: 1 };
  expect(Row.parse(row)).toEqual({ id: 7, checkedTo: NOON, lastSuccessAt: null });
});

test.each([
  ['lacks a column', { id: '7', last_success_at: null }],
  ['has another type', { id: '7', checked_to: '12:00', last_success_at: null }],
])('a row that %s is refused', (_, row) => {
  expect(Row.safeParse(row).error?.issues).toMatchObject([{ path: ['checked_to'] }]);
});
