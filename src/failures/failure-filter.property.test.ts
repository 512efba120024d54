import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold } from '../lib/fold.ts';
import { FILTER_KEYS } from '../lib/input/filters.ts';
import { FAILURE_FILTERS, FILTER_NAMES } from './filter.ts';

describe.each(FILTER_NAMES)('the filter %s', (name) => {
  const { key, button } = FAILURE_FILTERS[name];

  test('has a key for commands, and its own button key', () => {
    expect(FILTER_KEYS).toContain(key);
    expect(FILTER_NAMES.filter((other) => FAILURE_FILTERS[other].button === button)).toEqual([name]);
  });
});

test.each([
  ['ΟΔΟΣ', 'οδος'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['İstanbul', 'i\u0307stanbul'],
  ['STRASSE', 'straße'],
  ['café', 'CAFE\u0301'],
  ['a ≁ b', 'a \u223c\u0338 b'],
])('%s and %s are one name', (one, other) => {
  expect(fold(one)).toBe(fold(other));
});

test('a name equals itself in any case', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      expect(fold(fold(name))).toBe(fold(name));
      expect(fold(name.normalize('NFD'))).toBe(fold(name));
    }),
    { numRuns: 100 },
  );
});
