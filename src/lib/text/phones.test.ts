import { expect, test } from 'vitest';
import { withoutPhones } from './phones.ts';

test.each([
  ['4915_1234_56789 exceeds the phone 55501234', '•••89 exceeds the phone •••34'],
  ['4915_1234_56789: its length exceeds 26214400', '•••89: its length exceeds 26214400'],
])('the words before a number say what it is, also after a number that its mask shortened: %s', (text, masked) => {
  expect(withoutPhones(text)).toBe(masked);
});
