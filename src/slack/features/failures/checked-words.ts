import { DAY_MS, describeDuration, HOUR_MS, lengthOf, SECOND_MS, type TimeRange } from '../../../lib/time/durations.ts';
import { type Checked, reachesNow } from '../../../lookups/failures.ts';
import { incidentRow } from '../../incident-view/incident-row.ts';
import { badge, mrkdwn, plural, time, timeNear, windowNear, windowsWords } from '../../kit/text.ts';

/** What every list of failures begins with while the service can't be read. */
export function outageRow({ outage }: Checked) {
  return outage === null ? [] : incidentRow(outage, { size: 'terse' });
}

export function nothingChecked(checked: Checked, now: Date) {
  const { environment, read, since } = checked;
  if (read.from < read.to) return null;
  const begin = since === null ? '' : mrkdwn` (checked since ${time(since)})`;
  return mrkdwn`⚠️ ${badge(environment)} · nothing was checked ${spanWords(checked, now)}${begin}`;
}

/** Begins where the checks began, if that is within the range. */
export function spanWords({ range, since }: Checked, now: Date) {
  const { from, to } = range;
  const isPartly = since !== null && since < to;
  const begin = isPartly ? mrkdwn`${time(since)}, when checks began` : timeNear(from, now);
  if (!reachesNow(range, now)) return mrkdwn`from ${begin}${isPartly ? ',' : ''} to ${timeNear(to, from)}`;
  if (isPartly) return mrkdwn`since ${begin}`;
  const ms = lengthOf(range);
  return mrkdwn`in the last ${ms === HOUR_MS ? 'hour' : ms === DAY_MS ? 'day' : describeDuration(ms)}`;
}

/** Since the checks began. */
export function isAllChecked({ unchecked, givenUp, freshness }: Checked): boolean {
  return freshness.isCurrent && unchecked.length + givenUp.length === 0;
}

export function checkedLines(checked: Checked, now: Date) {
  const { range, freshness, unreadable } = checked;
  const words = (windows: readonly TimeRange[]) => windowsWords(windows, windowNear(range.to));
  const unchecked = checked.unchecked.filter((window) => lengthOf(window) >= SECOND_MS);
  return [
    freshness.asOf &&
      mrkdwn`${isAllChecked(checked) ? 'Up to date' : 'As of'} ${timeNear(freshness.asOf, now, 'seconds')}`,
    unchecked.length > 0 && mrkdwn`⏳ Not checked yet: ${words(unchecked)}`,
    checked.givenUp.length > 0 && mrkdwn`⚠️ Lost: ${words(checked.givenUp)}`,
    unreadable > 0 && mrkdwn`⚠️ ${plural(unreadable, 'event')} unreadable`,
  ];
}
