import { expect, test, vi } from 'vitest';
import { dateOf } from './schema.ts';

test('dateOf reads a time as the service writes it', () => {
  expect(dateOf('2024-02-29T23:59:58.007Z')).toEqual(new Date(Date.UTC(2024, 1, 29, 23, 59, 58, 7)));
});

test("dateOf reads times without a zone as UTC, whatever the machine's zone is", () => {
  class DateInNepal extends Date {
    constructor(value: string) {
      super(value.endsWith('Z') ? value : `${value}+05:45`);
    }
  }
  vi.stubGlobal('Date', DateInNepal);
  const read = ['2026-03-02T03:04', '2026-03-02 03:04:00', '2026-03-02T03:04:00.000'].map(dateOf);
  vi.unstubAllGlobals();
  for (const date of read) expect(date?.toISOString()).toBe('2026-03-02T03:04:00.000Z');
});

test.each([
  ...[null, undefined, '', 'yesterday', '2026-13-01T00:00:00.000Z', '2026-01-01T25:00:00.000Z'],
  ...['+010000-01-01T00:00:00.000Z', '99999-01-01'],
])('dateOf returns null for %j', (value) => {
  expect(dateOf(value)).toBeNull();
});

// Taken for times, they would date a failure of today before everything: its incident would count as over while it goes on.
test.each(['0001-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'])(
  'dateOf takes %s for no time: programs write it for one that was never set',
  (zero) => {
    expect(dateOf(zero)).toBeNull();
  },
);
