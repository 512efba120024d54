import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSeal } from './seal.ts';

describe('a seal', () => {
  it('opens what it has closed, whatever that is, in any replica', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(createSeal('one').open(createSeal('one').close(text))).toBe(text);
      }),
    );
  });

  it('shows nothing of what it has closed, not even that it is the same', () => {
    const { close } = createSeal('one');
    expect(close('anna@example.com')).not.toBe(close('anna@example.com'));
    expect(Buffer.from(close('anna@example.com'), 'base64url').toString('latin1')).not.toContain('anna');
  });

  it('opens nothing that was closed with another secret, changed, or never closed', () => {
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
