import { VERDICT_WORDS } from '../../../failures/verdict.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { describeDuration } from '../../../lib/time/time-range.ts';
import type { Mute } from '../../../watches/mutes.ts';
import { clockOf, percentOf } from '../../../watches/parse-settings.ts';
import type { Mention, Threshold, Watch, WatchFilter, WatchSettings } from '../../../watches/settings.ts';
import { muteEnd } from '../incident/incident-words.ts';
import { channelName } from '../incident/names.ts';
import { joined, type Markup, mention, mrkdwn } from '../text.ts';
import { onlyWords } from './filter-words.ts';

/** `namesPeople`: by mentions, which notify in a new message. */
export function settingsLines(
  settings: WatchSettings,
  { environments, namesPeople }: { environments: readonly Environment[]; namesPeople: boolean },
): Markup[] {
  const { threshold, everyMs, quiet, timeZone, summaryAt, hasThread, hasAllClear, hasChanges } = settings;
  const manner = [
    ...(threshold === null ? [] : [thresholdWords(threshold)]),
    everyMs === 0 ? mrkdwn`alerts right away` : mrkdwn`at least ${describeDuration(everyMs)} between alerts`,
    ...mentionWords(settings.mention, namesPeople),
    ...(quiet === null ? [] : [mrkdwn`quiet ${clockOf(quiet.from)} – ${clockOf(quiet.to)}`]),
    summaryAt === null ? mrkdwn`no daily summary` : mrkdwn`daily summary at ${clockOf(summaryAt)}`,
    ...(hasThread ? [] : [mrkdwn`no history in threads`]),
    ...(hasAllClear ? [mrkdwn`tells the channel of resolved incidents`] : []),
    ...(hasChanges ? [mrkdwn`shows changes`] : []),
    mrkdwn`times in ${timeZone}`,
  ];
  return [filterWords(settings.filter, environments), joined(manner, ' · ')];
}

/** Others look at it too: masked. */
function filterWords(filter: WatchFilter, environments: readonly Environment[]): Markup {
  const parts = [
    ...onlyWords('workflow', filter.workflows.map(maskedId)),
    ...onlyWords('channel', filter.channels.map(channelName)),
    ...onlyWords('provider', filter.providers.map(maskedId)),
    ...onlyWords('subscriber', filter.subscribers.map(maskedId)),
    ...onlyWords('severity', filter.severities),
    ...onlyWords(
      'verdict',
      filter.verdicts.map((verdict) => VERDICT_WORDS[verdict]),
    ),
    ...onlyWords('topic', filter.topics.map(maskedId)),
    ...onlyWords('context', filter.contexts.map(maskedId)),
    ...onlyWords('tag', filter.tags.map(maskedId)),
  ];
  const labels = filter.environments.map((name) => labelled(name, environments).label);
  if (parts.length > 0) return mrkdwn`Only ${joined([...parts, ...onlyWords('environment', labels)], ', ')}`;
  if (labels.length === 0) return mrkdwn`All failures, in all environments`;
  return mrkdwn`All failures in ${joined(onlyWords('environment', labels), '')}`;
}

function thresholdWords({ failures, withinMs, rate }: Threshold): Markup {
  const share = rate === null ? mrkdwn`` : mrkdwn` and ${percentOf(rate)}% of the workflow's events`;
  const count = failures === 1 ? mrkdwn`1 failure` : mrkdwn`${failures} failures`;
  return mrkdwn`after ${count} in ${describeDuration(withinMs)}${share}`;
}

function mentionWords(mentioned: Mention | null, namesPeople: boolean): Markup[] {
  if (mentioned === null) return [];
  if (namesPeople) return [mrkdwn`mentions ${mention(mentioned)}`];
  return [mentioned.kind === 'person' ? mrkdwn`mentions a person` : mrkdwn`mentions a user group`];
}

export function mutedWatches(
  muted: readonly { watch: Pick<Watch, 'number'>; mute: Pick<Mute, 'from' | 'until'> }[],
): Markup {
  const [first] = muted;
  if (first === undefined) return mrkdwn``;
  return mrkdwn`${watchNumbers(muted.map(({ watch }) => watch))} until ${muteEnd(first.mute)}`;
}

export function watchNumbers(watches: readonly Pick<Watch, 'number'>[]): Markup {
  const numbers = watches.map(({ number }) => mrkdwn`${number}`);
  return mrkdwn`${watches.length === 1 ? 'watch' : 'watches'} ${joined(numbers, ', ')}`;
}
