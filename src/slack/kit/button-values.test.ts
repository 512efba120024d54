import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../lib/text/any-character.testing.ts';
import { parseLookup, parseSingle, parseValue, writeLookup, writeValue } from './button-values.ts';

describe('a button’s value', () => {
  test('survives a round trip', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: anyCharacter }), { minLength: 1, maxLength: 5 }), (parts) => {
        expect(parseValue(writeValue(parts))).toEqual(parts);
      }),
    );
  });

  test('is null unless it is of this version', () => {
    for (const value of ['', 'v0|a', '{"id":1}']) expect(parseValue(value)).toBeNull();
  });

  test('of a single part is that part, and null with more or for a button of another version', () => {
    expect(parseSingle('v1|staging')).toBe('staging');
    for (const value of ['v0|staging', 'v1', 'v1|staging|other']) expect(parseSingle(value)).toBeNull();
  });

  test('gives back what to look up', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.constantFrom('event' as const, 'transaction' as const),
        (environment, id, kind) => {
          const request = { environment, target: { kind, id } };
          expect(parseLookup(writeLookup(request))).toEqual(request);
        },
      ),
    );
  });

  test('gives nothing to look up for anything else', () => {
    for (const value of ['', 'v1|production', 'v1|production|subscriber|1', 'v1|production|event|1|2']) {
      expect(parseLookup(value)).toBeNull();
    }
  });
});
