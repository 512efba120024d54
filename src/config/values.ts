import { z } from 'zod';
import { parseOperators } from '../lib/people.ts';

/** A problem with one variable. Never contains the variable's value: the list is printed and may be pasted anywhere. */
export interface ConfigProblem {
  readonly variable: string;
  /** Continues the variable's name: "is missing". */
  readonly problem: string;
  readonly example: string;
}

export function problemsOf(
  error: z.ZodError | undefined,
  examples: Readonly<Record<string, string>>,
  prefix = '',
): ConfigProblem[] {
  return (error?.issues ?? []).map(({ path: [first], message }) => {
    const key = String(first);
    return { variable: prefix + key, problem: message, example: examples[key] ?? '' };
  });
}

// The messages of these schemas continue the variable's name and never repeat the value.

const text = z.string({ error: 'is missing' });

export function matching(pattern: RegExp, problem: string): z.ZodString {
  return text.regex(pattern, { error: problem });
}

/** A text without white space, so that a pasted line break or a second word is noticed here, not as a 401. */
const oneWord = matching(/^\S+$/, 'has white space in it');

/** A secret that is sent in a header, which holds only visible ASCII: a look-alike letter or an invisible character was pasted. */
export const secret = oneWord.regex(/^[\x21-\x7e\s]*$/, {
  error: 'has a character in it that no key or token has: an invisible one, or a letter of another alphabet',
});

export function wholeNumber(from: number, to: number, fallback: number) {
  const isInRange = (digits: string) => /^\d{1,9}$/.test(digits) && Number(digits) >= from && Number(digits) <= to;
  const error = `isn't a whole number from ${from} to ${to}`;
  return text.refine(isInRange, { error }).transform(Number).default(fallback);
}

export const yesOrNo = z
  .enum(['true', 'false'], { error: 'is neither true nor false' })
  .transform((word) => word === 'true');

/** `URL` also takes `https:host`, backslashes and blanks. Addresses are shown and logged, so a password in them would be too. */
export const address = oneWord
  .regex(/^https?:\/\/[^/\\]/i, { error: "isn't an http or https address", abort: true })
  .refine((given) => URL.canParse(given), { error: "isn't an address", abort: true })
  .refine((given) => !new URL(given).username && !new URL(given).password, {
    error: 'has a user name or password in it',
  });

/** An address that paths are appended to, in the spelling that every reader takes, without a trailing slash. */
export const baseUrl = address
  .regex(/^[^?#]*$/, { error: 'has a ? or # part: only the part before it belongs here', abort: true })
  .transform((given) => new URL(given).href.replace(/\/+$/, ''));

/** Without a host where a parameter names a socket's folder. */
export const databaseAddress = oneWord
  .regex(/^postgres(ql)?:\/\//, { error: "isn't a postgres:// address", abort: true })
  .refine((given) => URL.canParse(given.replace('@/', '@localhost/')), {
    error: "isn't an address: special characters of a password have to be encoded (%40 for @, %2F for /)",
  });

export const operators = text
  .default('')
  .refine((list) => commaSeparated(list).every((entry) => entry === '*' || /^[UWS][A-Z0-9]{2,}$/.test(entry)), {
    error: "is neither * nor a list of Slack IDs of people (U…, W…) and user groups (S…): names don't work",
  })
  .transform(parseOperators);

export function commaSeparated(list: string): string[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
