import { joinedRanges } from '../../../lib/time/coverage.ts';
import type { TimeRange } from '../../../lib/time/time-range.ts';
import { joined, type Markup, mrkdwn } from '../text.ts';
import { isNear, time, timeNear } from '../times.ts';

const MOST_NAMED = 3;

/** Windows that touch are one. */
export function windowsWords(windows: readonly TimeRange[], words: (window: TimeRange) => Markup): Markup {
  const whole = joinedRanges(windows);
  const named = joined(whole.slice(0, MOST_NAMED).map(words), ', ');
  return whole.length > MOST_NAMED ? mrkdwn`${named} and ${whole.length - MOST_NAMED} more` : named;
}

/** For a message about a time, with the date of what isn't near that. */
export function windowNear(other: Date): (window: TimeRange) => Markup {
  return (window) =>
    isNear(window.from, other) ? mrkdwn`${time(window.from)} – ${time(window.to)}` : datedWindow(window);
}

/** With its date, for texts that people read on other days too. */
export function datedWindow({ from, to }: TimeRange): Markup {
  return mrkdwn`${time(from, 'day')} – ${timeNear(to, from)}`;
}
