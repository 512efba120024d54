import { expect, test } from 'vitest';
import { Phone } from './phone.ts';

test.each([
  ['+49 151 2345678', '0151/2345678', true],
  ['0049 (0)151-2345678', '+491512345678', true],
  ['+49 151 2345678', '+44 151 2345678', false],
  ['٠٠٤٩١٥١٢٣٤٥٦٧٨', '+491512345678', true],
  ['345678', '+491512345678', false],
])('a phone number %s and one %s are the same: %s', (typed, stored, isSame) => {
  expect(new Phone(typed).isSame(new Phone(stored))).toBe(isSame);
});

test('a phone number shows only its mask', () => {
  const phone = new Phone('+49 151 2345678');
  expect([`${phone}`, JSON.stringify({ phone })]).toEqual(['•••78', '{"phone":"•••78"}']);
});
