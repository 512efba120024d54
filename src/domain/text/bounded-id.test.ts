import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askableId, boundedId, canBeInPath, MOST_ID_BYTES } from './bounded-id.ts';

describe('a bounded id', () => {
  const longest = 'é'.repeat(MOST_ID_BYTES / 2);

  it('is the id itself up to 512 bytes of UTF-8', () => {
    expect(boundedId('65f2a1c0d4e5f60718293a4b')).toBe('65f2a1c0d4e5f60718293a4b');
    expect(boundedId(longest)).toBe(longest);
  });

  it('is its beginning and a hash beyond that, which tells it apart', () => {
    const bounded = boundedId(`${longest}é`);
    expect(bounded).toMatch(/^é{48}…[0-9a-f]{32}$/);
    expect(boundedId(`${longest}è`)).not.toBe(bounded);
  });

  it('never exceeds the bound, breaks no character, and is bounded already', () => {
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

it.each(['', '.', '..', '\ud800'])('asks the service for no event by the id %j, which no path can hold', (id) => {
  expect(canBeInPath(id)).toBe(false);
  expect(askableId(id)).toBeNull();
});

it('asks for no event by an id that is not kept whole', () => {
  expect(askableId('x'.repeat(MOST_ID_BYTES))).not.toBeNull();
  expect(askableId('x'.repeat(MOST_ID_BYTES + 1))).toBeNull();
  expect(askableId(null)).toBeNull();
});

it('makes a key that is equal to itself once it was stored', () => {
  expect(boundedId('a\0b\ud800')).toBe('a\uFFFDb\uFFFD');
});
