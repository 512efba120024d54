import { isSameMinute } from 'date-fns';
import { HOUR_MS } from '../../lib/time/durations.ts';
import { joinedRanges } from '../../lib/time/ranges.ts';
import { formatUtc, type TimeRange } from '../../lib/time/time-range.ts';
import { listed, type Markup, mrkdwn, token } from './text.ts';

/** Slack's date tokens. */
const FORMATS = { time: '{time}', seconds: '{time_secs}', day: '{date_short_pretty} {time}' } as const;

/** Slack shows the reader's time zone, but UTC in notifications and email. */
export function time(at: Date | null, format: keyof typeof FORMATS = 'seconds'): Markup {
  if (at === null) return mrkdwn`time unknown`;
  return token(`<!date^${Math.floor(at.getTime() / 1000)}^${FORMATS[format]}|${fallback(at, format)}>`);
}

const SAME_DAY_MS = 12 * HOUR_MS;

/** Has a date unless it's near `other`, the time that readers have in mind. */
export function timeNear(at: Date | null, other: Date | null, near: 'time' | 'seconds' = 'time'): Markup {
  return time(at, at !== null && other !== null && isNear(at, other) ? near : 'day');
}

/** 'at 12:25', 'yesterday 12:25' */
export function atNear(at: Date, other: Date): Markup {
  return isNear(at, other) ? mrkdwn`at ${time(at, 'time')}` : time(at, 'day');
}

const isNear = (at: Date, other: Date): boolean => Math.abs(at.getTime() - other.getTime()) <= SAME_DAY_MS;

function fallback(at: Date, format: keyof typeof FORMATS): string {
  return format === 'day' ? formatUtc(at) : `${at.toISOString().slice(11, format === 'time' ? 16 : 19)} UTC`;
}

export function windowsWords(windows: readonly TimeRange[], words: (window: TimeRange) => Markup): Markup {
  return listed(joinedRanges(windows).map(words));
}

export function windowNear(other: Date): (window: TimeRange) => Markup {
  return (window) =>
    isNear(window.from, other) ? mrkdwn`${time(window.from)} – ${time(window.to)}` : datedWindow(window);
}

export function datedWindow({ from, to }: TimeRange): Markup {
  return isSameMinute(from, to) ? time(from, 'day') : mrkdwn`${time(from, 'day')} – ${timeNear(to, from)}`;
}
