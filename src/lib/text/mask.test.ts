import { describe, expect, test } from 'vitest';
import cases from './mask.cases.json' with { type: 'json' };
import { initials, maskEmail, maskPhone, maskSecret, maskValues } from './mask.ts';

test.each(cases.emails)('maskEmail shows the first character and the domain of %s', (email, masked) => {
  expect(maskEmail(email)).toBe(masked);
});

test.each(cases.phones)('maskPhone shows the last two digits of %s, if there are enough', (phone, masked) => {
  expect(maskPhone(phone)).toBe(masked);
});

test.each(cases.secrets)('a secret is shown by its last characters if enough are hidden: %s', (secret, masked) => {
  expect(maskSecret(secret)).toBe(masked);
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

describe('values that are masked in a text', () => {
  test('are all hidden, whichever of them contains another', () => {
    const said = 'The token abcd1234 of abcd1234-eu was refused twice: abcd1234';
    const masked = 'The token ••• of ••• was refused twice: •••';
    expect(maskValues(said, ['abcd1234', 'abcd1234-eu'])).toBe(masked);
    expect(maskValues(said, ['abcd1234-eu', 'abcd1234'])).toBe(masked);
  });

  test('have at least four characters: any word may contain fewer', () => {
    expect(maskValues('The channel abc of abcd', ['abc'])).toBe('The channel abc of abcd');
    expect(maskValues('The channel abc of abcd', ['abcd'])).toBe('The channel abc of •••');
    expect(maskValues('Refused', [])).toBe('Refused');
  });
});
