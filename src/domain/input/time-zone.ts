import { InputError } from '../errors.ts';
import { nearest } from '../nearest.ts';
import { EXAMPLES } from './filters.ts';

/** Zones that every list of clocks has, but `supportedValuesOf` omits in some versions of Node. */
const ALWAYS = ['UTC'];

/**
 * Parses the IANA name of a time zone, in any case, or its city alone ('berlin'). Throws an `InputError` with the nearest name for an
 * unknown one. Refuses an offset such as +02:00, which ignores daylight saving time.
 */
export function parseTimeZone(text: string): string {
  const wanted = text.trim().replaceAll(' ', '_').toLowerCase();
  const names = timeZones();
  const found =
    names.find((name) => name.toLowerCase() === wanted) ?? names.find((name) => cityOf(name).toLowerCase() === wanted);
  if (found !== undefined) return found;
  const zone = otherName(text.trim().replaceAll(' ', '_'));
  if (zone !== null) return zone;
  const meant = nearest(wanted, names) ?? nearest(wanted, names.map(cityOf));
  const help = meant === null ? '' : ` Did you mean ${meant}?`;
  throw new InputError('tz', `tz: takes the name of a time zone, with a continent and a city.${help}`, EXAMPLES.tz);
}

/** Returns whether the platform supports a time zone. */
export function isTimeZone(name: string): boolean {
  return otherName(name) !== null;
}

/** Returns at most this many zones whose name contains what was typed, those whose city starts with it first. */
export function timeZonesLike(typed: string, limit: number): string[] {
  const wanted = typed.trim().replaceAll(' ', '_').toLowerCase();
  const found = timeZones().filter((name) => name.toLowerCase().includes(wanted));
  const begins = (name: string) => Number(!cityOf(name).toLowerCase().startsWith(wanted));
  return found.sort((a, b) => begins(a) - begins(b)).slice(0, limit);
}

function timeZones(): string[] {
  return [...new Set([...ALWAYS, ...Intl.supportedValuesOf('timeZone')])];
}

function cityOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** Returns a name that the platform accepts besides those it lists, such as Asia/Kolkata or Asia/Calcutta: as typed, with capitals. */
function otherName(text: string): string | null {
  if (!/^[a-z]/i.test(text)) return null;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return text.replace(/(?<![a-z])[a-z]/gi, (letter) => letter.toUpperCase());
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
