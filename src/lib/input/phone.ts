import { maskPhone } from '../text/mask.ts';
import { withPlainDigits } from '../text/visible.ts';

/** Numbers that share fewer digits at their end may be different ones. */
const FEWEST_DIGITS = 7;

export class Phone {
  readonly #digits: string;

  constructor(text: string) {
    this.#digits = withPlainDigits(text).replace('(0)', '').replace(/\D/g, '').replace(/^0+/, '');
  }

  /** Either number may lack the country code. */
  isSame(other: Phone): boolean {
    const [mine, theirs] = [this.#digits, other.#digits];
    const [short, long] = mine.length < theirs.length ? [mine, theirs] : [theirs, mine];
    return short.length >= FEWEST_DIGITS && long.endsWith(short);
  }

  toString(): string {
    return maskPhone(this.#digits);
  }

  toJSON(): string {
    return this.toString();
  }
}

const GROUPS = String.raw`\d(?:[ ./()\u2010-\u2015-]{0,3}\d){6,14}`;

/** `+49 151 2345678`, `0049(0)151…` within a text. */
export const INTERNATIONAL_PHONE = new RegExp(String.raw`(?<![\w.@/#:-])(?:\+|00(?=[1-9]))\(?${GROUPS}(?![\w-])`, 'g');

/** Only for a whole text: within others, `0151 2345678` could be anything. */
export function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  const isWritten = new RegExp(`^[+(]{0,2}${GROUPS}$`).test(text) && digits <= 15;
  // 192.0.2.1, 2026-01-31
  return isWritten && !/^\d{1,3}(?:\.\d{1,3}){3}$|^\d{4}-\d\d-\d\d/.test(text);
}
