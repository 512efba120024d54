import { FilterError } from './filters.ts';

/** The runtime's own list lacks the first ones, or has their former names, such as Asia/Calcutta. */
const ZONES = [
  'UTC',
  'GMT',
  'America/Argentina/Buenos_Aires',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'America/Nuuk',
  'Asia/Yangon',
  'Europe/Kyiv',
  ...Intl.supportedValuesOf('timeZone'),
];

/** Refuses offsets, which ignore daylight saving time, and abbreviations: BST is ambiguous. */
export function parseTimeZone(text: string): string {
  const wanted = text.normalize('NFD').replace(/\p{M}/gu, '').trim().replace(/\s+/g, '_').toLowerCase();
  const zone =
    ZONES.find((name) => name.toLowerCase() === wanted) ??
    ZONES.find((name) => cityOf(name).toLowerCase() === wanted) ??
    (wanted.includes('/') ? canonical(wanted) : null);
  if (zone !== null) return zone;
  throw new FilterError('tz', 'takes the name of a time zone, with a continent and a city.');
}

/** Returns a name of the zone that `parseTimeZone` takes. */
export const typableZone = (name: string): string | null => (ZONES.includes(name) ? name : canonical(name));

function canonical(name: string) {
  if (!/^[a-z]/i.test(name)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

const cityOf = (name: string) => name.slice(name.lastIndexOf('/') + 1);
