import { type Environment, labeled } from '../../lib/environment.ts';
import { maskedId } from '../../lib/text/shown-id.ts';
import { describeDuration } from '../../lib/time/durations.ts';
import type { Muted } from '../../watches/mutes.ts';
import { clockOf, parseMention, percentOf } from '../../watches/parse-settings.ts';
import type { Threshold, Watch, WatchSettings } from '../../watches/settings.ts';
import { anyOfWords, filterWords } from './filter-words.ts';
import { code, joined, mention, mrkdwn, plural, timeNear } from './text.ts';

export function settingsLines(settings: WatchSettings, environments: readonly Environment[]) {
  const { filter, threshold, everyMs, escalateMs, quiet, timeZone, summaryAt, silence } = settings;
  const labels = filter.environments.map((name) => labeled(name, environments).label);
  const places = anyOfWords('environment', labels);
  const where = places.length === 0 ? ', in all environments' : mrkdwn` in ${joined(places, '')}`;
  const manner = [
    threshold && thresholdWords(threshold),
    everyMs === 0 ? threshold === null && 'alerts right away' : `at least ${describeDuration(everyMs)} between alerts`,
    settings.mention && mrkdwn`mentions ${mention(settings.mention)}`,
    escalateMs !== null && `escalates what is critical after ${describeDuration(escalateMs)} without an acknowledgment`,
    quiet && `quiet ${clockOf(quiet.from)} – ${clockOf(quiet.to)}`,
    summaryAt === null ? 'no daily summary' : `daily summary at ${clockOf(summaryAt)}`,
    !settings.hasThread && 'no history in threads',
    settings.hasAllClear && 'posts when incidents are resolved',
    settings.hasChanges && 'shows changes',
    silence === 'all' && 'reports every silent workflow',
    silence === 'off' && 'reports no silence',
    `times in ${timeZone}`,
  ];
  return [filterWords(filter, places) ?? mrkdwn`All failures${where}`, joined(manner)];
}

/** The mention stays outside of the code, which would show its ID. */
export function watchCommand(watch: string) {
  const pieces = `/notif watch ${watch}`.split(/(?<=mention:)(<(?:@[UW]|!subteam\^S)[A-Z0-9]+>)/);
  const words = pieces.map((piece, at) => (at % 2 === 1 ? mention(parseMention(piece)) : code(maskedId(piece), 250)));
  return joined(words, ' ');
}

function thresholdWords({ failures, withinMs, rate }: Threshold) {
  const share = rate !== null && mrkdwn`a failure rate of ${percentOf(rate)}% per workflow`;
  const count = (share === false || failures > 1) && plural(failures, 'failure');
  return mrkdwn`after ${joined([count, share], ' and ')} in ${describeDuration(withinMs)}`;
}

export function mutedWords({ watches, from, until }: Muted) {
  return mrkdwn`${watchNumbers(watches)} until ${timeNear(until, from)}`;
}

export function watchNumbers(watches: readonly Watch[]) {
  const numbers = watches.map(({ number }) => number);
  return mrkdwn`${watches.length === 1 ? 'watch' : 'watches'} ${joined(numbers, ', ')}`;
}
