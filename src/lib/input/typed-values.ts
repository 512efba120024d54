import { InputError } from '../errors.ts';
import { FilterError } from './filters.ts';

const MOST_ADDRESSES = 10;
const ADDRESS = /^(?=.{3,254}$)[^\s@]+@[^\s@]+$/;

export function parseAddresses(typed: readonly string[]): string[] {
  const addresses = [...new Set(typed.map((address) => address.trim()))].filter((address) => address !== '');
  if (addresses.length <= MOST_ADDRESSES && addresses.every((address) => ADDRESS.test(address))) return addresses;
  throw new FilterError('email', `takes email addresses, at most ${MOST_ADDRESSES}.`);
}

const NUMBER = /^[([]*(#?)(\d{1,15})[)\].,:;!?]*$/;

export function isIncidentNumber(word: string): boolean {
  return NUMBER.exec(word)?.[1] === '#';
}

const MOST_INCIDENTS = 10;

/** Of `#9 #10`, `incidents 9, 10`. */
export function incidentNumbersIn(words: readonly string[], command: string): number[] {
  const typed = withoutNoun(words).filter((word) => !/^(?:,|and)$/i.test(word));
  const numbers = typed.map((word) => NUMBER.exec(word)?.[2]);
  const known = [...new Set(numbers.flatMap((number) => (number === undefined ? [] : [Number(number)])))];
  if (known.length > 0 && known.length <= MOST_INCIDENTS && !numbers.includes(undefined)) return known;
  const what = `Name incidents by their numbers, ${MOST_INCIDENTS} at most: /notif handover lists the open ones.`;
  throw new InputError('incident', what, `/notif ${command} #17`);
}

export function incidentNumberIn(words: readonly string[], command: string): number {
  const [word = '', ...others] = withoutNoun(words);
  const number = NUMBER.exec(word)?.[2];
  if (number !== undefined && others.length === 0) return Number(number);
  const what = 'Name one incident by its number: /notif handover lists the open ones.';
  throw new InputError('incident', what, `/notif ${command} #17`);
}

function withoutNoun(words: readonly string[]): readonly string[] {
  return /^incidents?$/i.test(words[0] ?? '') ? words.slice(1) : words;
}
