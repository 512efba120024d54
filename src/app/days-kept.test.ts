import { expect, test } from 'vitest';
import { daysKept } from './days-kept.ts';

test('keeps records as long as asked for, and at least for twice the horizon and a day', () => {
  expect(daysKept({ retentionDays: 30, horizonHours: 72 })).toBe(30);
  expect(daysKept({ retentionDays: 1, horizonHours: 72 })).toBe(7);
});
