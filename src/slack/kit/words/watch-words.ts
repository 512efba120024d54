import type { OpenCount } from '../../../incidents/lists.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import { describeDuration } from '../../../lib/time/durations.ts';
import type { Muted, Mutes } from '../../../watches/mutes.ts';
import { clockOf, percentOf } from '../../../watches/parse-settings.ts';
import type { Threshold, Watch, WatchSettings } from '../../../watches/settings.ts';
import {
  channelLink,
  joined,
  type Line,
  listed,
  type Markup,
  mention,
  mrkdwn,
  plural,
  present,
  time,
  timeNear,
} from '../text.ts';
import { filterWords, onlyWords } from './filter-words.ts';

export function settingsLines(settings: WatchSettings, environments: readonly Environment[]): Markup[] {
  const { filter, threshold, everyMs, escalateMs, quiet, timeZone, summaryAt } = settings;
  const { hasThread, hasAllClear, hasChanges, silence } = settings;
  const places = onlyWords(
    'environment',
    filter.environments.map((name) => labelled(name, environments).label),
  );
  const all =
    places.length === 0 ? mrkdwn`All failures, in all environments` : mrkdwn`All failures in ${joined(places, '')}`;
  const manner = [
    threshold !== null && thresholdWords(threshold),
    everyMs === 0 ? threshold === null && 'alerts right away' : `at least ${describeDuration(everyMs)} between alerts`,
    settings.mention !== null && mrkdwn`mentions ${mention(settings.mention)}`,
    escalateMs !== null && `escalates what is critical after ${describeDuration(escalateMs)} without an acknowledgment`,
    quiet !== null && `quiet ${clockOf(quiet.from)} – ${clockOf(quiet.to)}`,
    summaryAt === null ? 'no daily summary' : `daily summary at ${clockOf(summaryAt)}`,
    !hasThread && 'no history in threads',
    hasAllClear && 'posts when incidents are resolved',
    hasChanges && 'shows changes',
    silence === 'all' && 'reports every silent workflow',
    silence === 'off' && 'reports no silence',
    `times in ${timeZone}`,
  ];
  return [filterWords(filter, places) ?? all, joined(manner, ' · ')];
}

function thresholdWords({ failures, withinMs, rate }: Threshold): Markup {
  const share = rate !== null && mrkdwn`a failure rate of ${percentOf(rate)}% per workflow`;
  const count = (share === false || failures > 1) && plural(failures, 'failure');
  return mrkdwn`after ${joined([count, share], ' and ')} in ${describeDuration(withinMs)}`;
}

export function mutedWords({ watches, from, until }: Muted): Markup {
  return mrkdwn`${watchNumbers(watches)} until ${timeNear(until, from)}`;
}

export function watchNumbers(watches: readonly Pick<Watch, 'number'>[]): Markup {
  const numbers = watches.map(({ number }) => number);
  return mrkdwn`${watches.length === 1 ? 'watch' : 'watches'} ${joined(numbers, ', ')}`;
}

export const ALL_UP_TO_DATE = mrkdwn`✅ *All up to date: events checked, alerts sent*`;

export function headlineWords({ firing, critical, unconfirmed }: OpenCount, mutes: Mutes): Line[] {
  const worst = critical === 0 ? '' : mrkdwn` (${critical} critical)`;
  return [
    firing > 0 && mrkdwn`🔴 *${plural(firing, 'incident')}* failing${worst}`,
    unconfirmed > 0 && mrkdwn`⚪ ${plural(unconfirmed, 'incident')} recovering or unconfirmed`,
    mutesWords(mutes),
  ];
}

function mutesWords({ mutes, mutedIncidents }: Mutes): Line {
  const channels = mutes.map(({ channel, muted, watches, until }) => {
    const where = channelLink(channel);
    const what = muted === watches ? where : mrkdwn`${muted} of ${plural(watches, 'watch', 'watches')} in ${where}`;
    return mrkdwn`${what} muted until ${time(until, 'day')}`;
  });
  const incidents = mutedIncidents > 0 && mrkdwn`${plural(mutedIncidents, 'incident')} muted`;
  const words = present([listed(channels), incidents]);
  return words.length > 0 && mrkdwn`🔕 ${joined(words, ', ')}`;
}
