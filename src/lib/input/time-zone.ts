import { nearest } from '../closed-list.ts';
import { InputError } from '../errors.ts';
import { EXAMPLES } from './filters.ts';

/** Zones that `supportedValuesOf` lists by their former names, if at all. */
const CURRENT = ['UTC', 'GMT', 'America/Argentina/Buenos_Aires', 'Asia/Ho_Chi_Minh', 'Asia/Kathmandu', 'Asia/Kolkata'];
const ZONES: readonly string[] = [
  ...CURRENT,
  'America/Nuuk',
  'Asia/Yangon',
  'Europe/Kyiv',
  ...Intl.supportedValuesOf('timeZone'),
];

/**
 * Parses the IANA name of a time zone, in any case, or its city alone ('berlin'). Throws an `InputError` with the nearest name for any other:
 * an offset such as +02:00 ignores daylight saving time, and an abbreviation such as BST can mean several zones.
 */
export function parseTimeZone(text: string): string {
  const wanted = nameTyped(text);
  const found =
    ZONES.find((name) => name.toLowerCase() === wanted) ?? ZONES.find((name) => cityOf(name).toLowerCase() === wanted);
  if (found !== undefined) return found;
  if (wanted.includes('/') && isTimeZone(wanted))
    return wanted.replace(/(?<![a-z])(?:us\/|gmt|[a-z])/g, (letters) => letters.toUpperCase());
  // Some city is near every abbreviation.
  const similar = wanted.length < 5 ? null : (nearest(wanted, ZONES) ?? nearest(wanted, ZONES.map(cityOf)));
  const help = similar === null ? '' : ` Did you mean ${similar}?`;
  throw new InputError('tz', `tz: takes the name of a time zone, with a continent and a city.${help}`, EXAMPLES.tz);
}

/** Returns a zone by a name that `parseTimeZone` takes. Null if the platform doesn't support it. */
export function typableZone(name: string): string | null {
  if (!isTimeZone(name)) return null;
  if (name.includes('/') || CURRENT.includes(name)) return name;
  return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[a-z]/i.test(name);
  } catch {
    return false;
  }
}

/** Returns at most this many zones whose name contains what was typed, those whose city starts with it first. */
export function timeZonesLike(typed: string, limit: number): string[] {
  const wanted = nameTyped(typed);
  const found = [...new Set(ZONES)].filter((name) => name.toLowerCase().includes(wanted));
  const begins = (name: string) => Number(!cityOf(name).toLowerCase().startsWith(wanted));
  return found.sort((a, b) => begins(a) - begins(b)).slice(0, limit);
}

/** Returns a typed name as the platform writes them, in lower case: 'São Paulo' is 'sao_paulo'. */
function nameTyped(text: string): string {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '');
  return plain.trim().replace(/\s+/g, '_').toLowerCase();
}

function cityOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}
