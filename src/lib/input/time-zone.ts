import { nearest } from '../closed-list.ts';
import { InputError } from '../errors.ts';
import { EXAMPLES } from './filters.ts';

/** The current names of zones that `supportedValuesOf` lists by their former names, if at all. */
const CURRENT = [
  ...['Africa/Asmara', 'America/Argentina/Buenos_Aires', 'America/Argentina/Catamarca', 'America/Argentina/Cordoba'],
  ...['America/Argentina/Jujuy', 'America/Argentina/Mendoza', 'America/Atikokan', 'America/Indiana/Indianapolis'],
  ...['America/Kentucky/Louisville', 'America/Nuuk', 'Asia/Ho_Chi_Minh', 'Asia/Kathmandu', 'Asia/Kolkata'],
  ...['Asia/Yangon', 'Atlantic/Faroe', 'Europe/Kyiv', 'Pacific/Chuuk', 'Pacific/Kanton', 'Pacific/Pohnpei'],
];

/** The only names without a continent that mean the same to everybody, and whose clocks change as people's do (tz database, "backward"). */
const WITHOUT_CONTINENT = [
  ...['UTC', 'GMT', 'CET', 'EET', 'MET', 'WET', 'EST5EDT', 'CST6CDT', 'MST7MDT', 'PST8PDT'],
  ...['Cuba', 'Egypt', 'Eire', 'GB', 'Hongkong', 'Iceland', 'Iran', 'Israel', 'Jamaica', 'Japan', 'Libya', 'NZ'],
  ...['Poland', 'Portugal', 'PRC', 'ROC', 'ROK', 'Singapore', 'Turkey'],
];

/** What people probably mean by an abbreviation, as the example of what to type instead. */
const MEANT: ReadonlyMap<string, string> = new Map(
  (
    [
      ['America/New_York', ['EST', 'EDT', 'ET']],
      ['America/Chicago', ['CST', 'CDT', 'CT']],
      ['America/Denver', ['MST', 'MDT', 'MT']],
      ['America/Los_Angeles', ['PST', 'PDT', 'PT']],
      ['America/Halifax', ['AST', 'ADT']],
      ['America/St_Johns', ['NST', 'NDT']],
      ['America/Anchorage', ['AKST', 'AKDT']],
      ['Pacific/Honolulu', ['HST']],
      ['Europe/London', ['BST']],
      ['Europe/Lisbon', ['WEST']],
      ['Europe/Berlin', ['CEST', 'MEZ', 'MESZ']],
      ['Europe/Athens', ['EEST']],
      ['Europe/Moscow', ['MSK']],
      ['Asia/Kolkata', ['IST']],
      ['Asia/Singapore', ['SGT']],
      ['Asia/Tokyo', ['JST']],
      ['Asia/Seoul', ['KST']],
      ['Australia/Sydney', ['AEST', 'AEDT', 'AET']],
      ['Australia/Perth', ['AWST']],
      ['Pacific/Auckland', ['NZST', 'NZDT']],
    ] as const
  ).flatMap(([zone, abbreviations]) => abbreviations.map((abbreviation) => [abbreviation, zone] as const)),
);

/**
 * Parses the IANA name of a time zone, in any case, or its city alone ('berlin'), also one that was renamed since. Throws an `InputError`
 * with the nearest name for an unknown one, and for what ignores daylight saving time or can mean several zones: an offset such as +02:00,
 * and an abbreviation such as BST, which is Bangladesh's time to the platform.
 */
export function parseTimeZone(text: string): string {
  const wanted = nameTyped(text);
  const [found] = [
    ...timeZones((name) => name.toLowerCase() === wanted),
    ...timeZones((name) => cityOf(name).toLowerCase() === wanted),
  ];
  if (found !== undefined) return found;
  refuseAbbreviation(wanted.toUpperCase());
  const zone = otherName(wanted);
  if (zone !== null) return zone;
  const names = [...CURRENT, ...Intl.supportedValuesOf('timeZone')];
  const similar = nearest(wanted, names) ?? nearest(wanted, names.map(cityOf));
  const help = similar === null ? '' : ` Did you mean ${similar}?`;
  throw new InputError('tz', `tz: takes the name of a time zone, with a continent and a city.${help}`, EXAMPLES.tz);
}

/** Returns a zone by a name that `parseTimeZone` takes: its own unless that is an abbreviation. Null if the platform doesn't support it. */
export function typableZone(name: string): string | null {
  if (!isTimeZone(name)) return null;
  if (name.includes('/') || WITHOUT_CONTINENT.includes(name)) return name;
  return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
}

function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Returns at most this many zones whose name contains what was typed, those whose city starts with it first. */
export function timeZonesLike(typed: string, limit: number): string[] {
  const wanted = nameTyped(typed);
  const found = timeZones((name) => name.toLowerCase().includes(wanted));
  const begins = (name: string) => Number(!cityOf(name).toLowerCase().startsWith(wanted));
  return found.sort((a, b) => begins(a) - begins(b)).slice(0, limit);
}

/** Returns a typed name as the platform writes them, in lower case: 'São Paulo' is 'sao_paulo'. */
function nameTyped(text: string): string {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '');
  return plain.trim().replace(/\s+/g, '_').toLowerCase();
}

/** Asking the platform about a name takes a good part of a millisecond, so only those that are meant are asked about. */
function timeZones(isMeant: (name: string) => boolean): string[] {
  const besides = [...WITHOUT_CONTINENT, ...CURRENT].filter((name) => isMeant(name) && isTimeZone(name));
  return [...new Set([...besides, ...Intl.supportedValuesOf('timeZone').filter(isMeant)])];
}

function cityOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function refuseAbbreviation(text: string): void {
  const similar = MEANT.get(text);
  if (similar === undefined && !(/^[A-Z]{2,4}$/.test(text) && isTimeZone(text))) return;
  throw new InputError(
    'tz',
    `tz: ${text} is an abbreviation, which can mean several time zones or ignore daylight saving time. Use a city.`,
    similar === undefined ? EXAMPLES.tz : `tz:${similar}`,
  );
}

/** Returns a name in lower case, with a continent or the like, that the platform accepts besides those it lists (US/Eastern), with capitals. */
function otherName(wanted: string): string | null {
  if (!wanted.includes('/') || !isTimeZone(wanted)) return null;
  return wanted.replace(/(?<![a-z])(?:us\/|gmt|utc|uct|[a-z])/g, (letters) => letters.toUpperCase());
}
