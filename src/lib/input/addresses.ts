import { InputError } from '../errors.ts';
import { EXAMPLES } from './filters.ts';

/** Each is looked up by a request of its own. */
const MOST_ADDRESSES = 10;
/** RFC 5321, 4.5.3.1.3: a path of 256 characters. */
const LONGEST_ADDRESS = 254;

/** How many events of an email address are looked at, the newest first: one page of the list. */
export const EVENTS_LOOKED_AT = 50;

/** Parses the values of `email:`, each once. Throws an `InputError` that quotes none of them. */
export function parseAddresses(typed: readonly string[]): string[] {
  const addresses = [...new Set(typed.map((address) => address.trim()))].filter((address) => address !== '');
  if (addresses.length > MOST_ADDRESSES) throw wrong(`takes at most ${MOST_ADDRESSES} addresses`);
  if (!addresses.every((one) => one.length <= LONGEST_ADDRESS && /^[^\s@]+@[^\s@]+$/.test(one)))
    throw wrong('takes email addresses');
  return addresses;
}

function wrong(rule: string): InputError {
  return new InputError('email', `email: ${rule}.`, EXAMPLES.email);
}
