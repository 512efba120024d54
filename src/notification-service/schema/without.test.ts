import { expect, test } from 'vitest';
import { valueAt, without } from './without.ts';

const value = { a: [{ b: 1, c: 2 }, 'x', { b: 3 }], d: { e: null }, f: [[1], [2]] };

test('without leaves out fields and items, and keeps the rest unchanged', () => {
  const left = without(value, [
    ['a', 0, 'b'],
    ['a', 1],
    ['f', 1, 0],
    ['d', 'e'],
  ]);
  expect(left).toEqual({ a: [{ c: 2 }, { b: 3 }], d: {}, f: [[1], []] });
  expect(Reflect.get(left as object, 'a')[1]).toBe(value.a[2]);
  expect(value.a).toHaveLength(3);
});

test('without leaves out a whole part even if something inside it is listed too', () => {
  expect(without({ a: { b: 1, c: 2 }, d: 3 }, [['a', 'b'], ['a']])).toEqual({ d: 3 });
});

test('valueAt returns the value at a path, and undefined if there is none', () => {
  expect(valueAt(value, ['a', 2, 'b'])).toBe(3);
  expect(valueAt(value, ['a', 1, 'b', 'c'])).toBeUndefined();
  expect(valueAt(value, [])).toBe(value);
});
