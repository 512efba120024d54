import fc from 'fast-check';
import { expect, test } from 'vitest';
import { queryBatches } from './paging.ts';

test('a batch of IDs keeps a query below 4 kB, whatever the IDs are, and loses none', () => {
  const ids = fc.array(fc.oneof(fc.string({ unit: 'binary', maxLength: 120 }), fc.constant('x'.repeat(255))));
  fc.assert(
    fc.property(ids, (all) => {
      const batches = queryBatches(all, 'subscriberIds', 50);
      expect(batches.flat()).toEqual(all);
      for (const batch of batches) {
        expect(batch.length).toBeLessThanOrEqual(50);
        expect(
          new URLSearchParams(batch.map((id): [string, string] => ['subscriberIds', id])).toString().length,
        ).toBeLessThan(3_500);
      }
    }),
  );
});

test('fifty short IDs go into one request, one more into another, fifty of 255 characters into several', () => {
  const some = (count: number, length: number) => Array.from({ length: count }, (_, n) => `${n}`.padStart(length, 'u'));
  expect(queryBatches(some(50, 8), 'subscriberIds', 50)).toHaveLength(1);
  expect(queryBatches(some(51, 8), 'subscriberIds', 50).map(({ length }) => length)).toEqual([50, 1]);
  expect(queryBatches(some(50, 255), 'subscriberIds', 50)).toHaveLength(5);
});
