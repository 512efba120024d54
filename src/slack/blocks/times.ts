import { formatUtc } from '../../domain/time/time-range.ts';
import { type Markup, mrkdwn, token } from './text.ts';

/** How a time is written; the reader's own zone and language do the rest ("Formatting message text", date tokens). */
const FORMATS = {
  time: '{time}',
  seconds: '{time_secs}',
  day: '{date_short_pretty} {time}',
  minute: '{time}',
  ago: '{ago}',
} as const;

/** A time for the reader's own zone; where tokens mean nothing (notifications, email) it is UTC. Null: 'time unknown'. */
export function time(at: Date | null, format: keyof typeof FORMATS = 'seconds'): Markup {
  if (at === null) return mrkdwn`time unknown`;
  return token(`<!date^${Math.floor(at.getTime() / 1000)}^${FORMATS[format]}|${fallback(at, format)}>`);
}

function fallback(at: Date, format: keyof typeof FORMATS): string {
  if (format === 'minute') return `${at.toISOString().slice(11, 16)} UTC`;
  return format === 'seconds' || format === 'ago' ? `${at.toISOString().slice(11, 19)} UTC` : formatUtc(at);
}
