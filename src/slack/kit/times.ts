import { isSameMinute } from 'date-fns';
import { describeDuration, formatUtc, HOUR_MS, joinedRanges, type TimeRange } from '../../lib/time/durations.ts';
import { type Line, listed, type Markup, mrkdwn, token } from './text.ts';

/** A clock time within half a day can't be taken for another day's. */
const NEAR_MS = 12 * HOUR_MS;

const FORMATS = { time: '{time}', seconds: '{time_secs}', day: '{date_short_pretty} {time}' } as const;

/** Slack shows the reader's time zone, but UTC in notifications and email. */
export function time(at: Date | null, format: keyof typeof FORMATS = 'day'): Markup {
  if (at === null) return mrkdwn`time unknown`;
  const fallback = format === 'day' ? formatUtc(at) : `${at.toISOString().slice(11, format === 'time' ? 16 : 19)} UTC`;
  return token(`<!date^${Math.floor(at.getTime() / 1000)}^${FORMATS[format]}|${fallback}>`);
}

const isNear = (at: Date, other: Date) => Math.abs(at.getTime() - other.getTime()) <= NEAR_MS;

/** Omits the date near `other`, a time that the reader has in mind, and then shows `near`'s precision. */
export function timeNear(at: Date | null, other: Date | null, near: 'time' | 'seconds' = 'time'): Markup {
  return time(at, at !== null && other !== null && isNear(at, other) ? near : 'day');
}

/** 'at 12:25', 'yesterday 12:25' */
export function atNear(at: Date, other: Date): Markup {
  return isNear(at, other) ? mrkdwn`at ${time(at, 'time')}` : time(at);
}

/** Joins windows that touch or overlap. */
export function windowsWords(windows: readonly TimeRange[], words: (window: TimeRange) => Markup): Markup {
  return listed(joinedRanges(windows).map(words));
}

/** The words of a window for a reader who has `other` in mind. */
export function windowNear(other: Date): (window: TimeRange) => Markup {
  return (window: TimeRange) =>
    isNear(window.from, other)
      ? mrkdwn`${time(window.from, 'seconds')} – ${time(window.to, 'seconds')}`
      : datedWindow(window);
}

/** Always has the date of the window's begin. */
export function datedWindow({ from, to }: TimeRange): Markup {
  return isSameMinute(from, to) ? time(from) : mrkdwn`${time(from)} – ${timeNear(to, from)}`;
}

/** Why a list shows times that are still to come. */
export const aheadWords = (aheadMs: number): Markup =>
  mrkdwn`the service's clock is ${describeDuration(aheadMs)} ahead`;

/** Stands below a list; `aheadMs` is null if none of its times is still to come. */
export const aheadNote = (aheadMs: number | null): Line => aheadMs !== null && mrkdwn`🕑 ${aheadWords(aheadMs)}`;
