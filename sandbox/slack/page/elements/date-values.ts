import {
  type CalendarDate,
  fromAbsolute,
  parseDate,
  parseTime,
  type Time,
  type ZonedDateTime,
} from '@internationalized/date';

/** Converts Slack's `selected_date` ('2026-03-29') for a picker; null for anything else. */
export function readDate(value: unknown): CalendarDate | null {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? parseDate(value) : null;
}

/** Converts Slack's `selected_time` ('09:30') for a field; null for anything else. */
export function readTime(value: unknown): Time | null {
  return typeof value === 'string' && /^\d{2}:\d{2}$/.test(value) ? parseTime(value) : null;
}

/** Converts Slack's `selected_date_time` (seconds since 1970) for a picker in this time zone; null for anything else. */
export function readMoment(value: unknown, timeZone: string): ZonedDateTime | null {
  return typeof value === 'number' ? fromAbsolute(value * 1000, timeZone) : null;
}

export function wordTime(time: Time): string {
  return time.toString().slice(0, 5);
}

export function countSeconds(moment: ZonedDateTime): number {
  return Math.floor(moment.toDate().getTime() / 1000);
}
