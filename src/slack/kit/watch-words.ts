import type { OnCall } from '../../health/on-call.ts';
import { type Environment, labeled } from '../../lib/environment.ts';
import { maskedId } from '../../lib/text/shown-id.ts';
import { describeDuration } from '../../lib/time/durations.ts';
import { clockOf, dayName, parseMention, percentOf } from '../../watches/setting-values.ts';
import type { Threshold, WatchSettings } from '../../watches/settings.ts';
import { anyOfWords, filterWords } from './filter-words.ts';
import { capitalized } from './names.ts';
import {
  code,
  type Inserted,
  joined,
  type Line,
  listed,
  type Markup,
  mention,
  mrkdwn,
  person,
  plural,
} from './text.ts';

/** What a watch covers, and how it alerts: a line each. */
export function settingsLines(settings: WatchSettings, environments: readonly Environment[]): Markup[] {
  const { filter, threshold, everyMs, escalateMs, quiet, quietDays, timeZone, silence } = settings;
  const labels = filter.environments.map((name) => labeled(name, environments).label);
  const places = anyOfWords('environment', labels);
  const where = places.length === 0 ? ', in all environments' : mrkdwn` in ${joined(places, '')}`;
  const manner = [
    threshold && thresholdWords(threshold),
    everyMs === 0 && threshold === null && 'alerts right away',
    everyMs > 0 && `at least ${describeDuration(everyMs)} between alerts`,
    settings.mention && mrkdwn`mentions ${mention(settings.mention)}`,
    escalateMs !== null && `escalates what is critical after ${describeDuration(escalateMs)} without an acknowledgment`,
    quiet && `quiet ${clockOf(quiet.from)} – ${clockOf(quiet.to)}`,
    quietDays.length > 0 && `quiet on ${quietDays.map((day) => capitalized(dayName(day))).join(', ')}`,
    summaryWords(settings),
    settings.target !== null && `target ${percentOf(settings.target)}%`,
    !settings.hasThread && 'no history in threads',
    settings.hasAllClear && 'posts when incidents are resolved',
    settings.hasChanges && 'shows changes',
    silence === 'all' && 'reports every silent workflow',
    silence === 'off' && 'reports no silence',
    `times in ${timeZone}`,
  ];
  return [filterWords(filter, places) ?? mrkdwn`All failures${where}`, joined(manner)];
}

function summaryWords({ summaryAt, summaryDay }: WatchSettings): string {
  if (summaryAt === null) return 'no summary';
  const clock = clockOf(summaryAt);
  return summaryDay === null
    ? `daily summary at ${clock}`
    : `weekly summary on ${capitalized(dayName(summaryDay))}, ${clock}`;
}

/** The command that sets a watch up. Its mention stays outside of the code, which would show an ID. */
export function watchCommand(watch: string): Markup {
  const pieces = `/notif watch ${watch}`.split(/(?<=mention:)(<(?:@[UW]|!subteam\^S)[A-Z0-9]+>)/);
  const words = pieces.map((piece, at) => (at % 2 === 1 ? mention(parseMention(piece)) : code(maskedId(piece), 250)));
  return joined(words, ' ');
}

function thresholdWords({ failures, withinMs, rate }: Threshold): Markup {
  const count = plural(failures, 'failure');
  if (rate === null) return mrkdwn`after ${count} in ${describeDuration(withinMs)}`;
  const share = mrkdwn`a failure rate of ${percentOf(rate)}% per workflow`;
  // A rate implies one failure.
  return mrkdwn`after ${joined([failures > 1 && count, share], ' and ')} in ${describeDuration(withinMs)}`;
}

/** Whom the watches mention. Only for an answer to one person: a post in a channel would ping them. */
export function onCallWords(onCall: readonly OnCall[]): Line {
  if (onCall.length === 0) return null;
  const groups = onCall.map(({ mention: whom, members }) => {
    if (whom.kind === 'person') return person(whom.id);
    return mrkdwn`${mention(whom)}: ${membersWords(members)}`;
  });
  return mrkdwn`📟 On call: ${joined(groups)}`;
}

function membersWords(members: OnCall['members']): Inserted {
  if (members === null) return "Slack doesn't say who";
  return members.length === 0 ? 'nobody' : listed(members.map(person));
}
