import { describe, expect, test } from 'vitest';
import { initials, maskEmail, maskPhone, maskSecret } from './mask.ts';

describe('maskEmail', () => {
  test.each([
    ['anna@example.com', 'a•••@example.com'],
    ['"a@b"@example.com', '"•••@example.com'],
    ['🎉@example.com', '🎉•••@example.com'],
    ['@example.com', '•••@example.com'],
    ['anna', '•••'],
    ['a•••@example.com', 'a•••@example.com'],
  ])('shows the first character and the domain of %s', (email, masked) => {
    expect(maskEmail(email)).toBe(masked);
  });
});

describe('maskPhone', () => {
  test.each([
    ['+491701234567', '•••67'],
    ['(555) 123-4567', '•••67'],
    ['123456', '•••56'],
    ['12345', '•••'],
    ['', '•••'],
  ])('shows the last two digits of %s, if there are enough', (phone, masked) => {
    expect(maskPhone(phone)).toBe(masked);
  });
});

describe('a secret', () => {
  test.each([
    ['https://hooks.example.com/T1/B2/9f3c', '•••9f3c'],
    ['sixteen-chars-ab', '•••s-ab'],
    ['fifteen-chars-a', '•••'],
    ['', '•••'],
  ])('is shown by its last characters if enough are hidden: %s', (secret, masked) => {
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
