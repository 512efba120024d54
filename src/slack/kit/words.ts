import type { Changed, EnvironmentChange } from '../../changes/change.ts';
import { FAILURE_FILTERS, type FailureFilter, FILTER_NAMES } from '../../failures/filter.ts';
import type { Failure, VerdictCounts } from '../../failures/judge.ts';
import { COUNTED_VERDICTS, isAnnounced, type RecordedVerdict } from '../../failures/verdict.ts';
import type { OpenCount } from '../../incidents/lists.ts';
import type { Silent } from '../../incidents/silences.ts';
import { type Environment, labeled } from '../../lib/environment.ts';
import type { FilterKey, FilterMap } from '../../lib/input/filters.ts';
import { MASK, maskEmail } from '../../lib/text/mask.ts';
import { maskedId } from '../../lib/text/shown-id.ts';
import { describeDuration } from '../../lib/time/durations.ts';
import type { Outcome } from '../../lookups/event.ts';
import { channelKey, channelName } from '../../service/channels.ts';
import type { Misfit } from '../../service/query.ts';
import type { ListedMute, Muted } from '../../watches/mutes.ts';
import { clockOf, parseMention, percentOf } from '../../watches/parse-settings.ts';
import type { Threshold, Watch, WatchSettings } from '../../watches/settings.ts';
import {
  channelLink,
  code,
  cut,
  datedWindow,
  FEWEST_FOR_PERCENT,
  joined,
  type Line,
  listed,
  type Markup,
  mention,
  mrkdwn,
  named,
  percent,
  plural,
  present,
  time,
  timeNear,
} from './text.ts';

const BUILT_IN = 'built in';

const PROVIDER_NAMES = new Map([
  ...'SendGrid SES Mailgun Mailjet Postmark Resend SparkPost Twilio MessageBird Telnyx Plivo SNS FCM APNs Expo Slack Discord'
    .split(' ')
    .map((name) => [name.toLowerCase(), name] as const),
  ['sendinblue', 'Brevo'],
  ['nexmo', 'Vonage'],
  ['one-signal', 'OneSignal'],
  ['msteams', 'Microsoft Teams'],
  ['whatsapp-business', 'WhatsApp'],
  ...['', '-email', '-sms', '-slack'].flatMap((kind) => ['svc', 'novu'].map((id) => [id + kind, BUILT_IN] as const)),
]);

const LONGEST_UNKNOWN = 80;

export function providerName(provider: string) {
  return PROVIDER_NAMES.get(provider) ?? cut(maskedId(provider), LONGEST_UNKNOWN);
}

export function namedProvider(provider: string | null) {
  const name = provider === null ? null : providerName(provider);
  return name === BUILT_IN ? null : name;
}

export function channelVia(channel: string, provider: string | null) {
  if (channel === '') return 'Service';
  const name = capitalized(channelName(channel));
  return provider === null ? name : `${name} · ${providerName(provider)}`;
}

export const OUTCOME_EMOJI = {
  delivered: '✅',
  failed: '🔴',
  'partly-failed': '🔴',
  bounced: '🟠',
  complained: '🟠',
  unsubscribed: '⚪',
  undeliverable: '🟠',
  'not-sent': '⏭️',
  'skipped-by-design': '⏭️',
  'retried-then-fine': '✅',
  'in-progress': '⏳',
  stuck: '🟡',
  warning: '⚠️',
  merged: '⏭️',
  'not-shown': '❔',
};

const OUTCOME_WORDS: { [O in Outcome]?: string } = {
  complained: 'reported as spam',
  'not-sent': 'not sent: an earlier step failed',
  'retried-then-fine': 'succeeded on retry',
  'not-shown': 'outcome not shown',
};

export const outcomeWords = (outcome: Outcome) => OUTCOME_WORDS[outcome] ?? outcome.replaceAll('-', ' ');

export function outcomeCount(outcome: Outcome, count: number) {
  if (outcome === 'warning') return plural(count, 'warning');
  return outcome === 'not-shown' ? mrkdwn`${count} with no outcome shown` : mrkdwn`${count} ${outcomeWords(outcome)}`;
}

export function countedWords(counts: VerdictCounts) {
  return COUNTED_VERDICTS.flatMap((verdict) => {
    const count = counts[verdict] ?? 0;
    return count > 0 ? outcomeCount(verdict, count) : [];
  });
}

export const numberOf = (id: number) => mrkdwn`#${String(id)}`;

export function failureCount(verdict: RecordedVerdict, count: number) {
  return isAnnounced(verdict) && verdict !== 'stuck' ? plural(count, 'failure') : outcomeCount(verdict, count);
}

export const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
export const peopleCount = (count: number) => plural(count, 'person', 'people');

export function atLeast({ subscribers, isAtLeast }: { subscribers: number; isAtLeast: boolean }): Markup {
  const people = peopleCount(subscribers);
  return isAtLeast ? mrkdwn`at least ${people}` : people;
}

/** A late failure counts in another period than its event: more can fail than were checked. */
export function failedShare(failedEvents: number, eventsChecked: number) {
  const isShare = eventsChecked >= FEWEST_FOR_PERCENT && failedEvents <= eventsChecked;
  return isShare ? ` (${percent(failedEvents, eventsChecked)})` : '';
}

export function workflowNameOf({ workflow, workflowName }: Pick<Failure, 'workflow' | 'workflowName'>) {
  return maskedId(workflow ?? workflowName ?? 'deleted workflow');
}

export function changedWords(what: Changed) {
  if (what.kind === 'deploy') return mrkdwn`🚀 Deploy: ${what.name}`;
  const aspects = joined(what.aspects.map(maskedId), ', ');
  if (what.kind === 'workflow') return mrkdwn`⚙️ Workflow ${named(maskedId(what.name))}: ${aspects}`;
  const provider = providerName(what.provider);
  const title = provider === what.name ? named(provider) : mrkdwn`${named(maskedId(what.name))} (${named(provider)})`;
  return mrkdwn`⚙️ ${title} integration (${channelName(what.channel)}): ${aspects}`;
}

export function changedWhen({ at, after }: EnvironmentChange) {
  return after === null ? time(at) : datedWindow({ from: after, to: at });
}

export const CASE_MATTERS = mrkdwn`Check upper and lower case, and the environment (${code('env:')}).`;

function anyOfWords(noun: string, names: readonly string[]) {
  const codes = names.map((name) => code(name));
  return codes.length === 0 ? [] : [mrkdwn`${noun} ${listed(codes, ' or ')}`];
}

const NOUNS: { [Key in FilterKey]?: string } = { tx: 'Transaction', context: 'Exactly the contexts' };

export function typedFilterWords(filters: FilterMap) {
  const words = (...keys: readonly FilterKey[]) =>
    keys.flatMap((key) => anyOfWords(NOUNS[key] ?? capitalized(key), shownValues(key, filters[key] ?? [])));
  return present([
    ...words('workflow', 'channel', 'provider', 'topic', 'severity', 'tx', 'context'),
    // The service returns what any of these finds.
    joined(words('subscriber', 'email', 'search'), ' or '),
  ]);
}

/** Masks searches whole: they can be part of an address. */
function shownValues(key: FilterKey, values: readonly string[]) {
  if (key === 'search') return values.map(() => MASK);
  if (key === 'email') return values.map(maskEmail);
  if (key === 'channel') return values.map(channelKey).map(channelName);
  return key === 'context' && values.length > 0 ? [values.join(', ')] : values;
}

export function filterWords(filter: FailureFilter, places: readonly Markup[] = []) {
  const words = FILTER_NAMES.flatMap((name) => anyOfWords(FAILURE_FILTERS[name].noun, filter[name]));
  const alike = words.some((word) => `${word}`.includes(MASK)) ? ' (masked: others may look the same)' : '';
  return words.length === 0 ? null : mrkdwn`Only ${joined([...words, ...places], ', ')}${alike}`;
}

export function ignoredFilters(misfits: readonly Misfit[] = []) {
  const keys = [...new Set(misfits.flatMap(({ filters }) => filters))].map((key) => code(`${key}:`));
  const left = plural(misfits.length, 'result');
  return keys.length > 0 && mrkdwn`⚠️ The service ignored ${listed(keys, ' and ')}. Left out: ${left}.`;
}

export function didYouMean(similar: string | null) {
  return similar === null ? '' : mrkdwn` Did you mean ${code(similar)}?`;
}

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

export const ALL_UP_TO_DATE = mrkdwn`✅ *All up to date: events checked, alerts sent*`;

export function openWords({ firing, critical, unconfirmed }: OpenCount, where: Line = null) {
  const worst = critical > 0 && mrkdwn`(${critical} critical)`;
  return [
    firing > 0 && joined([mrkdwn`🔴 *${plural(firing, 'incident')}* failing`, worst, where], ' '),
    unconfirmed > 0 && joined([mrkdwn`⚪ ${plural(unconfirmed, 'incident')} recovering or unconfirmed`, where], ' '),
  ];
}

export function silenceWords({ workflow, name, since, usually, incidentId }: Silent, label: string): Markup {
  const silent = name ?? workflow;
  const what = silent === null ? label : mrkdwn`${named(maskedId(silent))} in ${label}`;
  return mrkdwn`🔇 *No event of ${what} since ${time(since)}* (${usually}) ${numberOf(incidentId)}`;
}

export function mutesWords(mutes: readonly ListedMute[]) {
  const channelMutes = mutes.filter(({ incident }) => incident === null);
  const channels = channelMutes.map(({ channel, watches, until }) => {
    return mrkdwn`${plural(watches, 'watch', 'watches')} in ${channelLink(channel)} muted until ${time(until)}`;
  });
  const incidents = new Set(mutes.flatMap(({ incident }) => incident?.id ?? [])).size;
  const words = present([listed(channels), incidents > 0 && mrkdwn`${plural(incidents, 'incident')} muted`]);
  return words.length > 0 && mrkdwn`🔕 ${joined(words, ', ')}`;
}
