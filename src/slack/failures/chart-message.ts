import type { Sharing } from '../../domain/access/shared-channel.ts';
import type { Chart, Mark, Series, StackedBy } from '../../domain/charts/chart.ts';
import { type ChartFacts, chartFacts } from '../../domain/charts/chart-facts.ts';
import type { PictureWords } from '../../domain/charts/picture.ts';
import { FAILURE_FILTERS, type FailureFilter, FILTER_NAMES } from '../../domain/failures/failure-filter.ts';
import type { IncidentNow } from '../../domain/incidents/incident-now.ts';
import { type Freshness, isCheckedAgain } from '../../domain/polling/check.ts';
import { maskedId } from '../../domain/text/shown-id.ts';
import { describeDuration, type TimeRange } from '../../domain/time/time-range.ts';
import { clockTime, dayAndTime, spanOnClock } from '../../domain/time/zone-clock.ts';
import { context, type MessageContent, message, section, sentence } from '../blocks/blocks.ts';
import { forEveryone, textForEveryone } from '../blocks/for-everyone.ts';
import { channelVia } from '../blocks/incident/channel-name.ts';
import { datedWindow, windowsWords } from '../blocks/incident/window-words.ts';
import { bold, code, cut, grouped, joined, type Markup, mrkdwn, named, person, plural } from '../blocks/text.ts';
import { atNear, isNear, timeNear } from '../blocks/times.ts';
import { unlinked } from '../blocks/unlinked.ts';
import { INVITE_OR_GO_ELSEWHERE } from '../blocks/words/invite-words.ts';
import { SHARED_WORDS } from '../blocks/words/shared-channel.ts';
import type { NoUpload } from '../interactions/replies/upload-file.ts';
import { notRecheckedLines } from './freshness-message.ts';

/** A chart's subject, in words for everyone in a channel. */
export interface ChartSubjectWords {
  /** 'Failures in Production' */
  readonly title: string;
  /** A filter or a cause. Null for all failures. */
  readonly detail: string | null;
}

const MOST_NAMED = 3;

/** Describes the failures of an environment, or those that match a filter. */
export function filterSubject(environment: { readonly label: string }, filter: FailureFilter): ChartSubjectWords {
  const parts = FILTER_NAMES.flatMap((name) => {
    const values = filter[name].map(maskedId);
    if (values.length === 0) return [];
    const more = values.length > MOST_NAMED ? [`${values.length - MOST_NAMED} more`] : [];
    return [`${FAILURE_FILTERS[name].noun} ${[...values.slice(0, MOST_NAMED), ...more].join(' or ')}`];
  });
  return {
    title: `Failures in ${environment.label}`,
    detail: parts.length === 0 ? null : textForEveryone(`Only ${parts.join(', ')}`),
  };
}

/** Describes the failures of an incident. */
export function incidentSubject(
  { tally: { group }, episodeId }: IncidentNow,
  environment: { readonly label: string },
): ChartSubjectWords {
  return {
    title: `${channelVia(group.channel, group.provider)} in ${environment.label} · #${episodeId}`,
    detail: textForEveryone(group.cause.text),
  };
}

/** Returns the text in the picture. */
export function pictureWords(chart: Chart, { title, detail }: ChartSubjectWords, timeZone: string): PictureWords {
  const { buckets, series, stackedBy } = chart;
  const when = `${spanOnClock(buckets, timeZone)} · ${zoneName(timeZone)} · ${describeDuration(buckets.bucketMs)} a bar`;
  const { parts } = chartFacts(chart);
  return {
    title,
    lines: [when, ...(detail === null ? [] : [detail])],
    legend: series.map((one, index) => `${grouped(parts[index]?.failures ?? 0)} · ${seriesName(one, stackedBy)}`),
    timeZone,
  };
}

/** Returns 'New York' for America/New_York. */
function zoneName(timeZone: string): string {
  return (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');
}

function seriesName({ example }: Series, stackedBy: StackedBy): string {
  if (example === null) return 'others';
  const { channel, provider, workflow, cause } = example;
  switch (stackedBy) {
    case 'provider':
      return channelVia(channel, provider);
    case 'workflow':
      return maskedId(workflow ?? 'deleted workflow');
    case 'cause':
      return textForEveryone(cause);
  }
}

/** Slack's limit ("files.getUploadURLExternal", alt_txt_too_large). */
const ALT_TEXT = 1_000;

/** Describes the picture for people who can't see it, with its times. */
export function altText(chart: Chart, subject: ChartSubjectWords, timeZone: string): string {
  const facts = chartFacts(chart);
  const { peak, start, end } = facts;
  const isNearEnd = (moment: Date) => isNear(moment, chart.buckets.to);
  const at = (moment: Date) => (isNearEnd(moment) ? clockTime : dayAndTime)(moment, timeZone);
  const span = ({ from, to }: TimeRange) => `${at(from)} to ${at(to)}`;
  const sentences = [
    `Bar chart: ${subject.title}, ${spanOnClock(chart.buckets, timeZone)} (${timeZone})`,
    ...(subject.detail === null ? [] : [subject.detail]),
    `${counted(facts.failures)}; most at ${peak === null ? '–' : `${at(peak.at.from)}: ${grouped(peak.failures)} in ${barLength(chart)}`}`,
    ...(start === null || end === null ? [] : [`First at ${at(start.from)}, last at ${at(end.from)}`]),
    ...(chart.series.length < 2 ? [] : [`By ${chart.stackedBy}: ${partNames(chart, facts).join(', ')}`]),
    `${plural(facts.events, 'event')} checked`,
    ...(chart.unchecked.length === 0 ? [] : [`Not checked: ${chart.unchecked.map(span).join(', ')}`]),
    ...chart.marks.map((mark) => `${markName(mark)} at ${at(mark.at)}`),
  ];
  return cut(`${sentences.join('. ')}.`, ALT_TEXT);
}

function counted(failures: number): string {
  return `${grouped(failures)} ${failures === 1 ? 'failure' : 'failures'}`;
}

function barLength({ buckets }: Chart): string {
  return describeDuration(buckets.bucketMs);
}

function partNames({ stackedBy }: Chart, { parts }: ChartFacts): readonly string[] {
  return parts.map(({ series, failures }) => `${grouped(failures)} ${cut(seriesName(series, stackedBy), 80)}`);
}

function markName({ kind, name }: Mark): string {
  const what = textForEveryone(name ?? 'something');
  switch (kind) {
    case 'acknowledged':
      return 'Acknowledged';
    case 'resolved':
      return 'Resolved';
    case 'change':
      return `${what} changed`;
    case 'deploy':
      return `${what} deployed`;
  }
}

/** Describes the picture in its message, with times in each reader's zone. `by`: the person who asked, if others see it. */
export function chartCaption(chart: Chart, subject: ChartSubjectWords, by: string | null): string {
  const asked = by === null ? [] : [mrkdwn`Asked for by ${person(by)}`];
  const { text } = forEveryone(message(joined([...numberLines(chart, subject), ...asked], '\n'), []));
  return unlinked(text);
}

/** Describes what a chart shows, one line each: how much, the peak, the time range, the total, and what wasn't checked. */
function numberLines(chart: Chart, { title, detail }: ChartSubjectWords): Markup[] {
  const moment = (at: Date) => atNear(at, chart.buckets.to, 'minute');
  const facts = chartFacts(chart);
  const { peak, start, end } = facts;
  const most = peak === null ? [] : [mrkdwn`most ${moment(peak.at.from)}: ${peak.failures} in ${barLength(chart)}`];
  const when = start === null || end === null ? [] : [mrkdwn`first ${moment(start.from)}, last ${moment(end.from)}`];
  return [
    joined([bold(named(title)), datedWindow(chart.buckets)], ' · '),
    ...(detail === null ? [] : [mrkdwn`${detail}`]),
    joined([plural(facts.failures, 'failure'), ...most, ...when, eventsWords(chart)], ' · '),
    ...(chart.marks.length === 0
      ? []
      : [
          joined(
            chart.marks.map((mark) => mrkdwn`${markName(mark)} ${moment(mark.at)}`),
            ' · ',
          ),
        ]),
    ...uncheckedLine(chart),
  ];
}

function uncheckedLine({ unchecked }: Chart): Markup[] {
  return unchecked.length === 0 ? [] : [mrkdwn`⚠️ Not checked: ${windowsWords(unchecked, datedWindow)}`];
}

function eventsWords(chart: Chart): Markup {
  const missing = chart.unreadable === 0 ? '' : `, ${grouped(chart.unreadable)} unreadable`;
  return mrkdwn`${plural(chartFacts(chart).events, 'event')} checked${missing}`;
}

/**
 * Says that there is nothing to draw: nothing failed, as far as that was checked. Gives the all-clear only if everything was checked for
 * this answer.
 */
export function nothingToDraw(
  chart: Chart,
  { title, detail }: ChartSubjectWords,
  freshness: Freshness,
): MessageContent {
  const what = detail === null ? mrkdwn`` : mrkdwn` (${detail})`;
  const where = mrkdwn`${named(title)}${what}, ${datedWindow(chart.buckets)}`;
  const isWhole = chart.unchecked.length + chart.unreadable === 0 && isCheckedAgain(freshness);
  const found = isWhole
    ? mrkdwn`✅ Nothing to draw: no failures. ${where}: ${eventsWords(chart)}.`
    : mrkdwn`⚪ Nothing to draw: no failures found. ${where}: ${eventsWords(chart)}.`;
  const missing = [
    ...(freshness.isCurrent || freshness.asOf === null
      ? []
      : [mrkdwn`As of ${timeNear(freshness.asOf, chart.buckets.to, 'seconds')}`]),
    ...uncheckedLine(chart),
    ...notRecheckedLines(freshness.notRechecked),
  ];
  return message(joined([found, ...missing], ' '), [section(found), ...missing.map((line) => context(line))]);
}

/** Why a picture isn't posted where it was requested. */
export type NoPicture =
  | NoUpload
  /** People from another organization can see the conversation, or Notif doesn't know whether they can. */
  | { readonly why: 'shared'; readonly sharing: Exclude<Sharing, 'none'> }
  | { readonly why: 'not-drawn' };

/** Says where the picture is. */
export function pictureSent(is: 'here' | 'in direct messages'): MessageContent {
  return sentence(
    is === 'here'
      ? mrkdwn`📈 The chart is in this conversation, for everyone who can read it.`
      : mrkdwn`📈 The chart is in your direct messages with Notif.`,
  );
}

/** Gives the numbers of a chart in text, and why the picture isn't here. `isInDirectMessages`: it's there instead. */
export function numbersInstead(
  chart: Chart,
  subject: ChartSubjectWords,
  reason: NoPicture,
  isInDirectMessages: boolean,
): MessageContent {
  const facts = chartFacts(chart);
  const numbers = joined(numberLines(chart, subject), '\n');
  const names = joined(partNames(chart, facts), ' · ');
  const parts = chart.series.length < 2 ? [] : [mrkdwn`By ${chart.stackedBy}: ${names}`];
  const elsewhere = isInDirectMessages ? mrkdwn` The chart is in your direct messages with Notif.` : mrkdwn``;
  const why = mrkdwn`⚠️ ${reasonWords(reason)}${elsewhere}`;
  const { text, blocks } = forEveryone(
    message(joined([why, numbers], ' '), [section(why), section(numbers), ...parts.map((line) => context(line))]),
  );
  return { text, blocks };
}

function reasonWords(reason: NoPicture): Markup {
  switch (reason.why) {
    case 'closed':
      return WHY_CLOSED[reason.word] ?? mrkdwn`Slack refused the picture here (${code(reason.word)}).`;
    case 'shared':
      return mrkdwn`${SHARED_WORDS[reason.sharing]} So the chart isn't posted here.`;
    case 'not-granted':
      return mrkdwn`The chart can't be sent: the Slack app wasn't granted ${code(reason.scope)}. Reinstall the app from manifest.yml.`;
    case 'not-drawn':
      return mrkdwn`The picture couldn't be drawn. Try again in a minute; the log of Notif says why.`;
  }
}

const NOT_HERE = mrkdwn`Notif isn't in this conversation, so it can't post a picture here. ${INVITE_OR_GO_ELSEWHERE}`;

const WHY_CLOSED: Readonly<Record<string, Markup>> = {
  not_in_channel: NOT_HERE,
  channel_not_found: NOT_HERE,
  is_archived: mrkdwn`This channel is archived, so nothing can be posted here.`,
};
