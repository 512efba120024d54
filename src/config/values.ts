import { z } from 'zod';
import { parseOperators } from '../lib/people.ts';

/** The schemas of single values. Their messages continue the variable's name and never repeat the value. */
const text = z.string({ error: 'is missing' });

export function matching(pattern: RegExp, problem: string): z.ZodString {
  return text.regex(pattern, { error: problem });
}

/** A text without white space, so that a pasted line break or a second word is noticed here, not as a 401. */
const oneWord = matching(/^\S+$/, 'has white space in it');

/** A secret that is sent in a header, which holds only visible ASCII: a look-alike letter or an invisible character was pasted. */
export const secret = oneWord.regex(/^[\x21-\x7e\s]*$/, {
  error:
    'has a character in it that no key or token has: an invisible one, or a letter with an accent or of another alphabet',
});

export function wholeNumber(from: number, to: number, fallback: number) {
  const isInRange = (digits: string): boolean =>
    /^\d{1,9}$/.test(digits) && Number(digits) >= from && Number(digits) <= to;
  return text
    .refine(isInRange, { error: `isn't a whole number from ${from} to ${to}` })
    .transform(Number)
    .default(fallback);
}

export const yesOrNo = z
  .enum(['true', 'false'], { error: 'is neither true nor false' })
  .transform((word) => word === 'true')
  .default(false);

/** An http or https address that paths are appended to, in the spelling that every reader takes, without a trailing slash. */
export const baseUrl = text
  .superRefine((address, context) => {
    const problem = addressProblem(address);
    if (problem !== null) context.addIssue(problem);
  })
  .transform((address) => new URL(address).href.replace(/\/+$/, ''));

function addressProblem(address: string): string | null {
  const problem = schemeProblem(address);
  if (problem !== null) return problem;
  // An empty query or fragment isn't in `search` and `hash`, but swallows the path that is appended.
  if (/[?#]/.test(address)) return 'has a ? or # part: only the part before it belongs here';
  return null;
}

function schemeProblem(address: string): string | null {
  // `URL` drops line breaks and encodes spaces, but Slack refuses a link with one.
  if (!URL.canParse(address) || /\s/.test(address)) return "isn't an address";
  // `URL` also takes `https:host` and backslashes for an address.
  if (!/^https?:\/\/[^/\\]/i.test(address)) return "isn't an http or https address";
  const { username, password } = new URL(address);
  // Most addresses are shown and logged, so a password in them would be too, and fetch rejects them.
  return username === '' && password === '' ? null : 'has a user name or password in it';
}

/** An http or https address that is called unchanged and never shown: its path or query contains a secret. */
export const secretAddress = oneWord.superRefine((address, context) => {
  const problem = schemeProblem(address);
  if (problem !== null) context.addIssue(problem);
});

/** Without a host where a parameter names a socket's folder. */
export const databaseAddress = oneWord
  .regex(/^postgres(ql)?:\/\//, { error: "isn't a postgres:// address", abort: true })
  .refine((address) => URL.canParse(address.replace('@/', '@localhost/')), {
    error: "isn't an address: special characters of a password have to be encoded (%40 for @, %2F for /)",
  });

/** Shells and Compose take quotes around a value away; `docker run --env-file` and Kubernetes keep them, as a part of it. */
export function isQuoted(value: string): boolean {
  return /^(["']).*\1$/s.test(value);
}

export const QUOTED = 'has quotes around its value: leave them out';

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
