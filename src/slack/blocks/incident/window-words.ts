import type { TimeRange } from '../../../domain/time/time-range.ts';
import { joined, type Markup, mrkdwn } from '../text.ts';
import { time } from '../times.ts';

const MOST_NAMED = 3;

/** '12:00:00 – 12:04:00, 12:10:00 – 12:12:00 and 4 more' */
export function windowsWords(
  windows: readonly TimeRange[],
  words: (window: TimeRange) => Markup = windowWords,
): Markup {
  const named = joined(windows.slice(0, MOST_NAMED).map(words), ', ');
  return windows.length > MOST_NAMED ? mrkdwn`${named} and ${windows.length - MOST_NAMED} more` : named;
}

export function windowWords({ from, to }: TimeRange): Markup {
  return mrkdwn`${time(from)} – ${time(to)}`;
}

/** 'today 12:00 – 12:40': with its date, for texts that people read on other days too. */
export function datedWindow({ from, to }: TimeRange): Markup {
  return mrkdwn`${time(from, 'day')} – ${timeAfter(from, to)}`;
}

/** Times of day further away than this are shown with their date. */
const SAME_DAY_MS = 12 * 60 * 60_000;

/** Formats a time that follows an earlier one, with its date unless it's near. */
export function timeAfter(earlier: Date, at: Date, near: 'time' | 'seconds' = 'time'): Markup {
  return time(at, at.getTime() - earlier.getTime() > SAME_DAY_MS ? 'day' : near);
}
