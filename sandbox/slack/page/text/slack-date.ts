import { TZDate } from '@date-fns/tz';
import { differenceInCalendarDays, differenceInMonths, format } from 'date-fns';

export interface Reader {
  now: number;
  timeZone: string;
  hour12: boolean;
}

export function readerIn(timeZone: string, now: number): Reader {
  const { hour12 } = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions();
  return { now, timeZone, hour12: hour12 ?? false };
}

/** Formats a Slack date: seconds since 1970 by a pattern such as `{date_short_pretty} at {time}`. Returns null for an unknown token. */
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

function wordToken(token: string, date: TZDate, { now, timeZone, hour12 }: Reader): string | null {
  // Slack omits the year within about half a year.
  const year = Math.abs(differenceInMonths(date, now)) < 6 ? '' : ', yyyy';
  const days = differenceInCalendarDays(date, new TZDate(now, timeZone));
  switch (token) {
    case 'time':
      return format(date, hour12 ? 'h:mm a' : 'HH:mm');
    case 'time_secs':
      return format(date, hour12 ? 'h:mm:ss a' : 'HH:mm:ss');
    case 'date_short_pretty':
      return NEAR_DAYS.get(days) ?? format(date, `MMM d${year}`);
    default:
      return null;
  }
}

const NEAR_DAYS = new Map([
  [-1, 'yesterday'],
  [0, 'today'],
  [1, 'tomorrow'],
]);
