import { InputError } from '../errors.ts';
import { scrub } from '../text/scrub.ts';
import { EXAMPLES } from './filters.ts';

/** Each is looked up by a request of its own. */
const MOST_ADDRESSES = 10;
/** Of at most 254 characters (RFC 5321, 4.5.3.1.3). */
const ADDRESS = /^(?=.{3,254}$)[^\s@]+@[^\s@]+$/;

/** How many events of an email address are looked at, the newest first: one page of the list. */
export const EVENTS_LOOKED_AT = 50;

/** Parses the values of `email:`, each once. Throws an `InputError` that quotes none of them. */
export function parseAddresses(typed: readonly string[]): string[] {
  const addresses = [...new Set(typed.map((address) => address.trim()))].filter((address) => address !== '');
  const isTooMany = addresses.length > MOST_ADDRESSES;
  if (!isTooMany && addresses.every((address) => ADDRESS.test(address))) return addresses;
  const rule = isTooMany ? `takes at most ${MOST_ADDRESSES} addresses` : 'takes email addresses';
  throw new InputError('email', `email: ${rule}.`, EXAMPLES.email);
}

/** `#17`, as rows show it, with what people write around it. */
const NUMBER = /^[([]*(#?)(\d{1,15})[)\].,:;!?]*$/;

export function isIncidentNumber(word: string): boolean {
  return NUMBER.exec(word)?.[1] === '#';
}

/** Parses the words that name an incident: `#17`, `17`, `incident 17`. Throws `InputError` for anything else, with the command's example. */
export function incidentNumberIn(words: readonly string[], command: string): number {
  const [word = '', ...others] = /^incidents?$/i.test(words[0] ?? '') ? words.slice(1) : words;
  const number = NUMBER.exec(word)?.[2];
  if (number !== undefined && others.length === 0) return Number(number);
  const what =
    number === undefined
      ? 'Name an incident by its number, which ends the title of its row.'
      : `/notif ${command} takes one incident at a time.`;
  throw new InputError('incident', what, `/notif ${command} #17`);
}

export interface Note {
  readonly by: string;
  readonly at: Date;
  /** On one line, without secrets and contacts, since everybody who sees the incident sees it. */
  readonly text: string;
}

/** As much as fits in a line of a row; a longer note is refused, not cut. */
export const LONGEST_NOTE = 200;

/** How long notes are useful: a cause can come back after months, such as when keys are rotated. */
export const NOTES_KEPT_DAYS = 365;

export function noteOf(
  typed: string,
): { readonly is: 'text'; readonly text: string } | { readonly is: 'empty' | 'too long' } {
  if (typed.trim().length > LONGEST_NOTE) return { is: 'too long' };
  const text = scrub(typed);
  return text === '' ? { is: 'empty' } : { is: 'text', text };
}

/** Splits what was typed for a note into the word that names the incident and the text (`#17 key rotated`). A text may be in quotes. */
export function noteTyped(typed: string): { readonly incident: readonly string[]; readonly text: string } {
  const [, incident, text = ''] = /^(\S*)\s*(.*)$/su.exec(typed.trim()) ?? [];
  return { incident: incident ? [incident] : [], text: text.replace(/\s+/gu, ' ').replace(/^"([^"]*)"$/u, '$1') };
}
