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

export function incidentNumberIn(words: readonly string[], command: string): number {
  const [word = '', ...others] = /^incidents?$/i.test(words[0] ?? '') ? words.slice(1) : words;
  const number = NUMBER.exec(word)?.[2];
  if (number !== undefined && others.length === 0) return Number(number);
  const what = 'Name one incident by its number: /notif handover lists the open ones.';
  throw new InputError('incident', what, `/notif ${command} #17`);
}
