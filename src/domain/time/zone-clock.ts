import { tzOffset } from '@date-fns/tz';

/** Formats a moment's time in a zone (an IANA name): '14:30'. */
export function clockTime(at: Date, timeZone: string): string {
  return formatted(at, timeZone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

/** Formats a moment in a zone as 'Sat 21'. */
export function weekdayAndDay(at: Date, timeZone: string): string {
  return formatted(at, timeZone, { weekday: 'short', day: 'numeric' });
}

/** Formats a moment in a zone as 'Sat 21 Nov 14:30'. */
export function dayAndTime(at: Date, timeZone: string): string {
  return `${day(at, timeZone)} ${clockTime(at, timeZone)}`;
}

/**
 * Formats a range as 'Sat 21 Nov 14:30 – 15:30', with the day at both ends if they differ, and with the clock that each is on if it was
 * changed between them: 'Sun 25 Oct 02:10 CEST – 02:10 CET'.
 */
export function spanOnClock({ from, to }: { readonly from: Date; readonly to: Date }, timeZone: string): string {
  const isOneDay = day(from, timeZone) === day(to, timeZone);
  const isOneClock = tzOffset(timeZone, from) === tzOffset(timeZone, to);
  const suffix = (at: Date) => (isOneClock ? '' : ` ${clockName(at, timeZone)}`);
  const end = isOneDay ? clockTime(to, timeZone) : dayAndTime(to, timeZone);
  return `${dayAndTime(from, timeZone)}${suffix(from)} – ${end}${suffix(to)}`;
}

/** A zone's clocks have short names only in the English of where they're used; elsewhere they're 'GMT+2'. */
const LOCALES_WITH_NAMES = ['en-GB', 'en-US', 'en-AU', 'en-NZ', 'en-IN', 'en-ZA'];

function clockName(at: Date, timeZone: string): string {
  const names = LOCALES_WITH_NAMES.map((locale) => {
    const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' }).formatToParts(at);
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
  });
  const [usual = timeZone] = names;
  return names.find((name) => !/[+-]/.test(name)) ?? usual;
}

function day(at: Date, timeZone: string): string {
  return formatted(at, timeZone, { weekday: 'short', day: 'numeric', month: 'short' }).replace(',', '');
}

function formatted(at: Date, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, ...options }).format(at);
}
