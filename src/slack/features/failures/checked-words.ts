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

/** That nothing was found: `✅ No failures in 🟥 Production in the last hour (37 events).` */
export function noneWords(checked: Checked, filter: FailureFilter, now: Date): Markup {
  const where = mrkdwn`in ${badge(checked.environment)} ${spanWords(checked, now)}`;
  const unchecked = nothingChecked(checked, now);
  if (unchecked !== null) return unchecked;
  const areFailures = WATCHED_VERDICTS.some((verdict) => filter.verdicts.includes(verdict));
  if (filter.verdicts.length > 0 && !areFailures) return mrkdwn`⚪ No such steps found ${where}.`;
  const isAll = filterWords(filter) === null;
  const what = isAll ? 'failures' : 'matching failures';
  const count = isAll ? mrkdwn` (${plural(checked.eventsChecked, 'event')})` : '';
  return isAllClear(checked, filter)
    ? mrkdwn`✅ No ${what} ${where}${count}.`
    : mrkdwn`⚪ No ${what} found ${where}${count}.`;
}

function isAllClear(checked: Checked, { transactions }: FailureFilter): boolean {
  // A transaction may be older than the range.
  if (transactions.length > 0) return false;
  return isAllChecked(checked) && checked.since === null && checked.unreadable === 0;
}

/** The service's or Notif's own outage, which may be why nothing is found. */
export function outageRow({ outage }: Checked): MessageBlock[] {
  return outage === null ? [] : incidentRow(outage, { size: 'terse' });
}

export function nothingChecked(checked: Checked, now: Date): Markup | null {
  const { environment, read, since } = checked;
  if (read.from < read.to) return null;
  const begin = since === null ? '' : mrkdwn` (checked since ${time(since)})`;
  return mrkdwn`⚠️ ${badge(environment)} · nothing was checked ${spanWords(checked, now)}${begin}`;
}

/** 'in the last hour', 'since 12:00, when checks began', 'from 12:00 to 13:00' */
export function spanWords({ range, since }: Checked, now: Date): Markup {
  const { from, to } = range;
  const isPartly = since !== null && since < to;
  const begin = isPartly ? mrkdwn`${time(since)}, when checks began` : timeNear(from, now);
  if (!reachesNow(range, now)) return mrkdwn`from ${begin}${isPartly ? ',' : ''} to ${timeNear(to, from)}`;
  if (isPartly) return mrkdwn`since ${begin}`;
  return mrkdwn`in the last ${lastWords(lengthOf(range))}`;
}

function lastWords(ms: number): string {
  if (ms === HOUR_MS) return 'hour';
  return ms === DAY_MS ? 'day' : describeDuration(ms);
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
