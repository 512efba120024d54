import { expect, test } from 'vitest';
import { isObject, sameJson } from './payload.ts';

test.each([
  [1, 1],
  ['a', 'a'],
  [null, null],
  [{}, {}],
  [[], []],
  [
    { a: 1, b: { c: [1, null] } },
    { b: { c: [1, null] }, a: 1 },
  ],
])('%j equals %j', (a, b) => {
  expect(sameJson(a, b)).toBe(true);
});

test.each([
  [1, 2],
  [1, '1'],
  [null, 0],
  [null, {}],
  [undefined, {}],
  ['', []],
  [{}, []],
  [['a'], { 0: 'a' }],
  [
    [1, 2],
    [2, 1],
  ],
  [[1], [1, 2]],
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ a: undefined }, { b: undefined }],
  [{ a: { b: 1 } }, { a: { b: 2 } }],
  [
    { a: 1, b: 1 },
    { a: 1, b: 2 },
  ],
])('%j differs from %j, in either order', (a, b) => {
  expect([sameJson(a, b), sameJson(b, a)]).toEqual([false, false]);
});

test('an object is neither a list nor null', () => {
  expect([{}, { a: 1 }, [], null, 'a', 1, undefined].map(isObject)).toEqual([true, true, ...Array(5).fill(false)]);
});
