import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputError } from '../domain/errors.ts';
import { path, queryString } from './address.ts';

test('path keeps any ID within its segment', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constantFrom('', '.', '..', '%2e%2e', 'a/b?c#d', '😀', '\ud83d')), (id) => {
      try {
        const url = new URL(path`/v1/notifications/${id}/x`, 'http://service.example');
        expect(url.pathname.split('/')).toEqual(['', 'v1', 'notifications', encodeURIComponent(id), 'x']);
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
        expect(id).toMatch(/^\.{0,2}$|\p{Surrogate}/u);
      }
    }),
  );
});

test('queryString repeats lists, writes dates in ISO 8601 and leaves out missing values', () => {
  const parameters = { a: ['x', 'y&z'], b: 2, c: false, d: new Date(0), e: undefined, f: [] };
  expect(queryString(parameters)).toBe('?a=x&a=y%26z&b=2&c=false&d=1970-01-01T00%3A00%3A00.000Z');
  expect(queryString({ f: [] })).toBe('');
});
