import { InputError } from '../errors.ts';
import { FilterError } from './filters.ts';

const MOST_ADDRESSES = 10;
const ADDRESS = /^(?=.{3,254}$)[^\s@]+@[^\s@]+$/;

export function parseAddresses(typed: readonly string[]) {
  const addresses = [...new Set(typed.map((address) => address.trim()))].filter((address) => address !== '');
  if (addresses.length <= MOST_ADDRESSES && addresses.every((address) => ADDRESS.test(address))) return addresses;
  throw new FilterError('email', `takes email addresses, at most ${MOST_ADDRESSES}.`);
}

const NUMBER = /^[([]*(#?)(\d{1,15})[)\].,:;!?]*$/;

export const isIncidentNumber = (word: string) => NUMBER.exec(word)?.[1] === '#';

const MOST_INCIDENTS = 10;

/** `#9 #10`, `incidents 9, 10` */
export function incidentNumbersIn(words: readonly string[], command: string, most = MOST_INCIDENTS) {
  const typed = words.filter((word, index) => !(index === 0 ? /^incidents?$/i : /^(?:,|and)$/i).test(word));
  const numbers = typed.map((word) => NUMBER.exec(word)?.[2]);
  const [first, ...others] = new Set(numbers.map(Number));
  if (first !== undefined && !numbers.includes(undefined) && others.length < most) return [first, ...others] as const;
  const what = most === 1 ? 'one incident by its number' : `incidents by their numbers, ${most} at most`;
  throw new InputError('incident', `Name ${what}: /notif handover lists the open ones.`, `/notif ${command} #17`);
}

export function incidentNumberIn(words: readonly string[], command: string) {
  return incidentNumbersIn(words, command, 1)[0];
}
