import { TZDate } from '@date-fns/tz';
import { differenceInCalendarDays, differenceInMonths, format, formatDistance } from 'date-fns';

/** The reader of a date. `now` is in milliseconds, `timeZone` an IANA name. */
export interface Reader {
  readonly now: number;
  readonly timeZone: string;
  readonly hour12: boolean;
}

/** Returns the reader in this time zone, with this browser's way to write hours. */
export function readerIn(timeZone: string, now: number): Reader {
  const { hour12 } = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions();
  return { now, timeZone, hour12: hour12 ?? false };
}

/**
 * Formats a Slack date token (`<!date^timestamp^pattern|fallback>`) for a reader.
 *
 * @param timestamp seconds since 1970.
 * @param pattern text with tokens such as `{date_short_pretty} at {time}`.
 * @returns the text, or null if the pattern has an unknown token: the fallback is shown then.
 */
export function formatSlackDate(timestamp: number, pattern: string, reader: Reader): string | null {
  const date = new TZDate(timestamp * 1000, reader.timeZone);
  if (Number.isNaN(date.getTime())) return null;
  const words = new Map<string, string>();
  for (const [, token = ''] of pattern.matchAll(/\{(\w+)\}/g)) {
    const word = wordToken(token, date, reader);
    if (word === null) return null;
    words.set(token, word);
  }
  return pattern.replace(/\{(\w+)\}/g, (_, token: string) => words.get(token) ?? '');
}

function wordToken(token: string, date: TZDate, reader: Reader): string | null {
  if (token === 'ago') return formatDistance(date, reader.now, { addSuffix: true });
  if (token === 'time') return format(date, reader.hour12 ? 'h:mm a' : 'HH:mm');
  if (token === 'time_secs') return format(date, reader.hour12 ? 'h:mm:ss a' : 'HH:mm:ss');
  if (token.endsWith('_pretty')) return nearDay(date, reader) ?? wordDay(token.replace('_pretty', ''), date, reader);
  return wordDay(token, date, reader);
}

function nearDay(date: TZDate, { now, timeZone }: Reader): string | null {
  const days = differenceInCalendarDays(date, new TZDate(now, timeZone));
  return days === 0 ? 'today' : days === -1 ? 'yesterday' : days === 1 ? 'tomorrow' : null;
}

function wordDay(token: string, date: TZDate, { now }: Reader): string | null {
  // Slack omits the year within about half a year.
  const year = Math.abs(differenceInMonths(date, now)) < 6 ? '' : ', yyyy';
  switch (token) {
    case 'date':
      return format(date, `MMMM do${year}`);
    case 'date_short':
      return format(date, `MMM d${year}`);
    case 'date_long':
      return format(date, `EEEE, MMMM do${year}`);
    default:
      return null;
  }
}
