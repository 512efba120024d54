import { max } from 'date-fns';
import type { OnCall } from '../../health/on-call.ts';
import { type Environment, labeled } from '../../lib/environment.ts';
import { maskedId } from '../../lib/text/shown-id.ts';
import { describeDuration } from '../../lib/time/durations.ts';
import type { MutedPart } from '../../watches/mute-words.ts';
import { describePart, type Muted } from '../../watches/mutes.ts';
import { clockOf, dayName, parseMention, percentOf } from '../../watches/setting-values.ts';
import type { Threshold, Watch, WatchSettings } from '../../watches/settings.ts';
import { anyOfWords, filterWords } from './filter-words.ts';
import { capitalized } from './names.ts';
import {
  code,
  joined,
  type Line,
  listed,
  type Markup,
  mention,
  mrkdwn,
  person,
  plural,
  time,
  timeNear,
} from './text.ts';

export function settingsLines(settings: WatchSettings, environments: readonly Environment[]): Markup[] {
  const { filter, threshold, everyMs, escalateMs, quiet, quietDays, timeZone, silence } = settings;
  const labels = filter.environments.map((name) => labeled(name, environments).label);
  const places = anyOfWords('environment', labels);
  const where = places.length === 0 ? ', in all environments' : mrkdwn` in ${joined(places, '')}`;
  const manner = [
    threshold && thresholdWords(threshold),
    everyMs === 0 ? threshold === null && 'alerts right away' : `at least ${describeDuration(everyMs)} between alerts`,
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

/** The mention stays outside of the code, which would show its ID. */
export function watchCommand(watch: string): Markup {
  const pieces = `/notif watch ${watch}`.split(/(?<=mention:)(<(?:@[UW]|!subteam\^S)[A-Z0-9]+>)/);
  const words = pieces.map((piece, at) => (at % 2 === 1 ? mention(parseMention(piece)) : code(maskedId(piece), 250)));
  return joined(words, ' ');
}

function thresholdWords({ failures, withinMs, rate }: Threshold) {
  const share = rate !== null && mrkdwn`a failure rate of ${percentOf(rate)}% per workflow`;
  const count = (share === false || failures > 1) && plural(failures, 'failure');
  return mrkdwn`after ${joined([count, share], ' and ')} in ${describeDuration(withinMs)}`;
}

export function mutedWords(muted: Muted): Markup {
  const what = joined([mutedPart(muted.target), watchNumbers(muted.watches)], ' in ');
  return mrkdwn`${what} ${mutedTime(muted)}`;
}

/** Null: the whole watch. */
export function mutedPart(part: MutedPart): Markup | null {
  const typed = describePart(part);
  return typed === null ? null : code(typed);
}

/** As an act of `at` set it; before mutes could be planned, from then on. */
export function muteRange(
  { from = new Date(0), until }: { from?: Date | undefined; until: Date },
  at: Date,
): MutedTime {
  return { from: max([from, at]), to: until, isPlanned: from > at };
}

type MutedTime = Pick<Muted, 'from' | 'to' | 'isPlanned'>;

export function mutedTime({ from, to, isPlanned }: MutedTime): Markup {
  return isPlanned ? mrkdwn`from ${time(from)} until ${timeNear(to, from)}` : mrkdwn`until ${time(to)}`;
}

export function watchNumbers(watches: readonly Watch[]): Markup {
  const numbers = watches.map(({ number }) => number);
  return mrkdwn`${watches.length === 1 ? 'watch' : 'watches'} ${joined(numbers, ', ')}`;
}

/** Only for an answer to somebody: in a channel it would ping. */
export function onCallWords(onCall: readonly OnCall[]): Line {
  if (onCall.length === 0) return null;
  const groups = onCall.map(({ mention: whom, members }) => {
    if (whom.kind === 'person') return person(whom.id);
    const who =
      members === null ? "Slack doesn't say who" : members.length === 0 ? 'nobody' : listed(members.map(person));
    return mrkdwn`${mention(whom)}: ${who}`;
  });
  return mrkdwn`📟 On call: ${joined(groups)}`;
}
