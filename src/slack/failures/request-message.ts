import { HOUR_MS } from '../../domain/time/durations.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import { describeDuration } from '../../domain/time/time-range.ts';
import { type Markup, mrkdwn } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';

/** A range that ended this recently is called the last hour instead of by its times. */
const RECENT_MS = 60_000;

/** Returns whether a time range ends now or has just ended. */
export function endsNow({ to }: Pick<TimeRange, 'to'>, now: Date): boolean {
  return now.getTime() - to.getTime() <= RECENT_MS;
}

/** 'last hour', 'last 2 h', or the start and end. */
export function spanWords({ from, to }: TimeRange, now: Date): Markup {
  const lasted = to.getTime() - from.getTime();
  if (!endsNow({ to }, now)) return mrkdwn`${time(from, 'day')} to ${time(to, 'day')}`;
  return lasted === HOUR_MS ? mrkdwn`last hour` : mrkdwn`last ${describeDuration(lasted)}`;
}
