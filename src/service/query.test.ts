import { expect, test } from 'vitest';
import { typedContextKey } from './query.ts';

test("a context's key is its type and ID", () => {
  expect(typedContextKey('tenant:acme')).toBe('tenant:acme');
  expect(() => typedContextKey('tenant')).toThrow('A context is named type:id');
});
