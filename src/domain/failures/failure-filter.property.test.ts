import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold } from '../fold.ts';
import { FILTER_KEYS } from '../input/filters.ts';
import { aFailedEvent, at } from '../service/event.testing.ts';
import { ALL_FAILURES, FAILURE_FILTERS, FILTER_NAMES, matcherOf } from './failure-filter.ts';
import { judge } from './judge.ts';

const EVENT = aFailedEvent({
  severity: 'high',
  topicKeys: ['launch'],
  contextKeys: ['tenant:acme'],
  tags: ['Checkout'],
});
const [FULL] = judge(EVENT, at(60)).failures;
if (FULL === undefined) throw new Error('The event has no failure.');

describe.each(FILTER_NAMES)('the filter %s', (name) => {
  const { key, button, of } = FAILURE_FILTERS[name];

  test('matches what it names of a failure, and nothing else', () => {
    const value = of(FULL).find((one) => one !== null) ?? '';
    expect(matcherOf({ ...ALL_FAILURES, [name]: [value] })(FULL)).toBe(true);
    expect(matcherOf({ ...ALL_FAILURES, [name]: ['something else'] })(FULL)).toBe(false);
  });

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
