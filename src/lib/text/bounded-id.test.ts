import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { askableId, boundedId, canBeInPath, MOST_ID_BYTES } from './shown-id.ts';

describe('a bounded id', () => {
  const longest = 'é'.repeat(MOST_ID_BYTES / 2);

  test('is the ID itself up to 512 bytes of UTF-8', () => {
    expect(boundedId('65f2a1c0d4e5f60718293a4b')).toBe('65f2a1c0d4e5f60718293a4b');
    expect(boundedId(longest)).toBe(longest);
  });

  test('is its beginning and a distinguishing hash beyond that', () => {
    const bounded = boundedId(`${longest}é`);
    expect(bounded).toMatch(/^é{48}…[0-9a-f]{32}$/);
    expect(boundedId(`${longest}è`)).not.toBe(bounded);
  });

  test('never exceeds the bound, breaks no character, and stays the same when bounded again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 1_000 }), (id) => {
        const bounded = boundedId(id);
        expect(Buffer.byteLength(bounded)).toBeLessThanOrEqual(MOST_ID_BYTES);
        expect(bounded).not.toMatch(/\p{Surrogate}/u);
        expect(boundedId(bounded)).toBe(bounded);
      }),
    );
  });
});

test.each(['', '.', '..', '\ud800'])(
  "prevents a request for an event by the ID %j, which can't be part of a URL path",
  (id) => {
    expect(canBeInPath(id)).toBe(false);
    expect(askableId(id)).toBeNull();
  },
);

test('prevents a request for an event by a shortened ID', () => {
  expect(askableId('x'.repeat(MOST_ID_BYTES))).not.toBeNull();
  expect(askableId('x'.repeat(MOST_ID_BYTES + 1))).toBeNull();
  expect(askableId(null)).toBeNull();
});
