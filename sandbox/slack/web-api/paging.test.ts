import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Arguments } from '../arguments.ts';
import { objectIn, stringIn } from '../json.ts';
import { pageOf } from './paging.ts';

describe('pageOf', () => {
  test('returns every message exactly once for any limit', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.integer({ min: 1, max: 20 }), (count, limit) => {
        const messages = Array.from({ length: count }, (_, index) => ({ ts: `${index}.000000` }));
        expect(walk(messages, limit)).toEqual(messages);
      }),
    );
  });
});

function walk(messages: readonly { ts: string }[], limit: number, cursor = ''): { ts: string }[] {
  const { items, fields } = pageOf(messages, new Arguments({ limit, cursor }), ({ ts }) => ts);
  const next = stringIn(objectIn(fields, 'response_metadata'), 'next_cursor');
  return next === undefined ? [...items] : [...items, ...walk(messages, limit, next)];
}
