import { LETTER_OR_DIGIT } from './letters.ts';
import { MASK, type Masking } from './mask.ts';

const START = `(?<![${LETTER_OR_DIGIT}.,•-])`;
const END = `(?![${LETTER_OR_DIGIT}]|[.,-]\\d)`;

/** Groups of four, in one piece or with the same sign between; the last digit is a check (ISO/IEC 7812). */
const CARD = new RegExp(
  `${START}[3-6]\\d{3}([ -]?)(?:\\d{4}\\1\\d{4}\\1\\d{4}(?:\\1\\d{3})?|\\d{6}\\1\\d{4,5})${END}`,
  'g',
);

function isCard(card: string) {
  const digits = [...card.replace(/\D/g, '')].reverse().map(Number);
  const doubled = digits.map((digit, index) => (index % 2 === 0 ? digit : digit * 2));
  return doubled.reduce((sum, value) => sum + (value > 9 ? value - 9 : value), 0) % 10 === 0;
}

/** ISO 13616: the country, two digits as a check, and up to 30 more characters in groups of four. */
const IBAN = new RegExp(
  `${START}[A-Z]{2}\\d{2}(?:[A-Z\\d]{11,30}|([ -])[A-Z\\d]{4}(?:\\1[A-Z\\d]{4}){1,6}(?:\\1[A-Z\\d]{1,4})?)${END}`,
  'g',
);

function isIban(iban: string) {
  const plain = iban.replace(/[ -]/g, '');
  // A counts as 10, B as 11.
  const digits = `${plain.slice(4)}${plain.slice(0, 4)}`.replace(/[A-Z]/g, (letter) => `${letter.charCodeAt(0) - 55}`);
  return plain.length >= 15 && [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}

/** Cards and bank accounts, which no text needs, whoever wrote it. */
export const ACCOUNT_MASKINGS: readonly Masking[] = [
  (text) => text.replace(CARD, (card: string) => (isCard(card) ? MASK : card)),
  (text) => text.replace(IBAN, (iban: string) => (isIban(iban) ? MASK : iban)),
];
