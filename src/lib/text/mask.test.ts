import { describe, expect, test } from 'vitest';
import cases from './mask.cases.json' with { type: 'json' };
import { initials, maskEmail, maskPhone, maskSecret } from './mask.ts';

describe('maskEmail', () => {
  test.each(cases.emails)('shows the first character and the domain of %s', (email, masked) => {
    expect(maskEmail(email)).toBe(masked);
  });
});

describe('maskPhone', () => {
  test.each(cases.phones)('shows the last two digits of %s, if there are enough', (phone, masked) => {
    expect(maskPhone(phone)).toBe(masked);
  });
});

describe('a secret', () => {
  test.each(cases.secrets)('is shown by its last characters if enough are hidden: %s', (secret, masked) => {
    expect(maskSecret(secret)).toBe(masked);
  });
});

describe('initials', () => {
  test.each([
    ['Ada', 'Lovelace', 'A. L.'],
    ['ada', null, 'A.'],
    ['🎉 Zoë', ' ', 'Z.'],
  ])('turns %s and %s into %s', (first, last, short) => {
    expect(initials(first, last)).toBe(short);
  });

  test('is null if there is no letter', () => {
    expect(initials('', null)).toBeNull();
  });
});
