import type { Button } from '@slack/types';
import { min } from 'date-fns';
import type { FailureFilter } from '../../../judging/filter.ts';
import { WATCHED_VERDICTS } from '../../../judging/verdict.ts';
import { commandText } from '../../../lib/input/filters.ts';
import { DAY_MS, describeDuration, HOUR_MS, lengthOf, SECOND_MS, type TimeRange } from '../../../lib/time/durations.ts';
import { type Checked, reachesNow } from '../../../lookups/checked.ts';
import { incidentRow } from '../../incident-view/incident-row.ts';
import type { MessageBlock } from '../../kit/blocks.ts';
import { runButton } from '../../kit/buttons.ts';
import { filterWords } from '../../kit/filter-words.ts';
import { personal } from '../../kit/published.ts';
import { badge, type Line, type Markup, mrkdwn, plural } from '../../kit/text.ts';
import { time, timeNear, windowNear, windowsWords } from '../../kit/times.ts';

/** A transaction gets no all-clear, since it may be older than the range. */
export function noneWords(checked: Checked, filter: FailureFilter, now: Date): Markup {
  const { environment, since, unreadable, eventsChecked } = checked;
  const isClear = isAllChecked(checked) && since === null && unreadable === 0 && filter.transactions.length === 0;
  const isAll = filterWords(filter) === null;
  const areFailures = WATCHED_VERDICTS.some((verdict) => filter.verdicts.includes(verdict));
  if (filter.verdicts.length > 0 && !areFailures)
    return (
      nothingChecked(checked, now) ??
      mrkdwn`⚪ No such steps found in ${badge(environment)} ${spanWords(checked, now)}.`
    );
  const none = mrkdwn`${isClear ? '✅' : '⚪'} No ${isAll ? '' : 'matching '}failures${isClear ? '' : ' found'}`;
  const count = isAll ? mrkdwn` (${plural(eventsChecked, 'event')})` : '';
  return nothingChecked(checked, now) ?? mrkdwn`${none} in ${badge(environment)} ${spanWords(checked, now)}${count}.`;
}

export function outageRow({ outage }: Checked): MessageBlock[] {
  return outage === null ? [] : incidentRow(outage, { size: 'terse' });
}

export function nothingChecked(checked: Checked, now: Date): Markup | null {
  const { environment, read, since } = checked;
  if (read.from < read.to) return null;
  const begin = since === null ? '' : mrkdwn` (checked since ${time(since)})`;
  return mrkdwn`⚠️ ${badge(environment)} · nothing was checked ${spanWords(checked, now)}${begin}`;
}

export function spanWords({ range, since }: Checked, now: Date): Markup {
  const { from, to } = range;
  const isPartly = since !== null && since < to;
  const begin = isPartly ? mrkdwn`${time(since)}, when checks began` : timeNear(from, now);
  if (!reachesNow(range, now)) return mrkdwn`from ${begin}${isPartly ? ',' : ''} to ${timeNear(to, from)}`;
  if (isPartly) return mrkdwn`since ${begin}`;
  const ms = lengthOf(range);
  return mrkdwn`in the last ${ms === HOUR_MS ? 'hour' : ms === DAY_MS ? 'day' : describeDuration(ms)}`;
}

/** Time before the checks began doesn't count. */
export function isAllChecked({ unchecked, givenUp, freshness }: Checked): boolean {
  return freshness.isCurrent && unchecked.length + givenUp.length === 0;
}

/** What is older than Notif's first check is in the service's own list only. */
export function olderButton({ environment, range, since }: Checked): Button | null {
  if (since === null) return null;
  const until = [min([since, range.to]).toISOString()];
  return personal(runButton('View older events', commandText(['events'], { until, env: [environment.name] })));
}

export function checkedLines(checked: Checked, now: Date): Line[] {
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
