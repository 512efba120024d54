import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSeal } from './seal.ts';

describe('a seal', () => {
  test('opens any text that it sealed, in any replica', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(createSeal('one').open(createSeal('one').close(text))).toBe(text);
      }),
    );
  });

  test('opens what an earlier version sealed, since a message keeps its buttons', () => {
    const closed = 'XpsSbUwQ4Bt7JSv5h2omNbgHKEspjlH29CfXo_1czQ8e5FAPlAQV5G6SDig';
    expect(createSeal('one').open(closed)).toBe('anna@example.com');
  });

  test('reveals nothing about a sealed text, not even that two are the same', () => {
    const { close } = createSeal('one');
    expect(close('anna@example.com')).not.toBe(close('anna@example.com'));
    expect(Buffer.from(close('anna@example.com'), 'base64url').toString('latin1')).not.toContain('anna');
  });

  test('returns null for text sealed with another secret, altered text, and text that was never sealed', () => {
    const closed = createSeal('one').close('anna@example.com');
    expect(createSeal('other').open(closed)).toBeNull();
    expect(createSeal('one').open(`${closed.slice(0, -3)}AAA`)).toBeNull();
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(createSeal('one').open(text)).toBeNull();
      }),
    );
  });
});
