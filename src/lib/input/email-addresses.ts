import { FilterError } from './filters.ts';

const MOST_ADDRESSES = 10;
const ADDRESS = /^(?=.{3,254}$)[^\s@]+@[^\s@]+$/;

export function parseAddresses(typed: readonly string[]): string[] {
  const addresses = [...new Set(typed.map((address) => address.trim()))].filter((address) => address !== '');
  if (addresses.length <= MOST_ADDRESSES && addresses.every((address) => ADDRESS.test(address))) return addresses;
  throw new FilterError('email', `takes email addresses, at most ${MOST_ADDRESSES}.`);
}
