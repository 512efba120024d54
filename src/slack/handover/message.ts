import type { EnvironmentChange } from '../../domain/changes/change.ts';
import { type Environment, labelled } from '../../domain/environment.ts';
import { explainGap } from '../../domain/health/explain-gap.ts';
import {
  type EndingMute,
  type Handover,
  ownerOf,
  type SentTest,
  type Some,
  type SomeOpen,
} from '../../domain/health/handover.ts';
import { EPISODE_MS, type StateNow } from '../../domain/incidents/episode.ts';
import type { IncidentNow } from '../../domain/incidents/incident-now.ts';
import type { Gap } from '../../domain/polling/gap.ts';
import { maskedId } from '../../domain/text/shown-id.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/time/durations.ts';
import { describeDuration, type TimeRange } from '../../domain/time/time-range.ts';
import { badge } from '../blocks/badge.ts';
import { actions, button, context, header, type MessageContent, message, section } from '../blocks/blocks.ts';
import { fitCount } from '../blocks/fit.ts';
import { changedWords } from '../blocks/incident/change-words.ts';
import { channelVia } from '../blocks/incident/channel-name.ts';
import { incidentTitle, relapsedMark, shownVerdict } from '../blocks/incident/incident-words.ts';
import { noteWords } from '../blocks/incident/last-time.ts';
import { failureCount, VERDICT_EMOJI } from '../blocks/incident/verdict-word.ts';
import { datedWindow, windowsWords } from '../blocks/incident/window-words.ts';
import { lineSections } from '../blocks/line-sections.ts';
import { canShare, footFor, type Reader } from '../blocks/reader.ts';
import { bold, channelLink, code, joined, type Markup, mrkdwn, named, plural } from '../blocks/text.ts';
import { time, timeNear } from '../blocks/times.ts';
import { checkedLines } from './checked-message.ts';
import { type HandoverRequest, writeRequest } from './request-message.ts';

export const SHARE = 'handover.share';

export interface HandoverOptions {
  readonly configured: readonly Environment[];
  /** People's names by Slack user ID, because a mention would notify them. */
  readonly names: ReadonlyMap<string, string>;
  /** How long incidents are kept, which is how far back `since:` reaches. */
  readonly retentionDays: number;
}

/** Builds a handover for one person or, if someone shares it, for everybody in a channel. */
export function handoverMessage(
  handover: Handover,
  options: HandoverOptions,
  { request, reader }: { readonly request: HandoverRequest; readonly reader: Reader },
): MessageContent {
  const headline = headlineOf(handover);
  const buttons = canShare(reader) ? [button('Share', SHARE, writeRequest(request))] : [];
  const { blocks } = fitCount(MOST_LINES, (most) => [
    header('🤝 Handover'),
    section(headline),
    context(rangeWords(handover)),
    ...partsOf(handover, options, most).flatMap(({ title, lines }) => lineSections([bold(title), ...lines])),
    context(...checkedLines(handover, options.configured)),
    ...footFor(reader, actions(buttons)),
  ]);
  return message(joined([mrkdwn`Handover: ${headline}`, rangeWords(handover)], ' · '), blocks);
}

/** The maximum number of lines in a part; fewer if the message has no room for them. */
const MOST_LINES = 15;

/**
 * Returns the hours of a `since:` that covers a handover and `beforeMs` before it. What passed between the request and its answer counts as
 * nothing.
 */
function hoursOf({ range: { from, to } }: Handover, { retentionDays }: HandoverOptions, beforeMs = 0): number {
  const hours = Math.ceil((to.getTime() - from.getTime() + beforeMs - MINUTE_MS) / HOUR_MS);
  return Math.max(1, Math.min(hours, Math.floor((retentionDays * DAY_MS) / HOUR_MS)));
}

/** Summarizes what matters most: unassigned incidents, then open ones, then what isn't known. */
function headlineOf({ open, opened, over, environments }: Handover): Markup {
  const isChecked = environments.every(
    ({ checkedTo, gaps, unchecked }) => checkedTo !== null && unchecked.length === 0 && !gaps.some(hasUncheckedTime),
  );
  const unchecked = isChecked ? [] : [mrkdwn`⚠️ not everything was checked`];
  const counts = mrkdwn`${opened} opened, ${over.items.length + over.more} over`;
  return joined([openWords(open, isChecked), counts, ...unchecked], ' · ');
}

const MOST_NUMBERS = 5;

function openWords({ items, more: unlisted, unowned }: SomeOpen, isChecked: boolean): Markup {
  const total = items.length + unlisted;
  if (total === 0) return isChecked ? mrkdwn`✅ *No incident is open*` : mrkdwn`⚪ *No incident is known to be open*`;
  const incidents = plural(total, 'open incident');
  if (unowned === 0) return mrkdwn`🟡 *${incidents}, ${total === 1 ? '' : 'all '}assigned or acknowledged*`;
  const listed = items.filter((one) => ownerOf(one) === null);
  const numbers = listed.slice(0, MOST_NUMBERS).map(({ episodeId }) => `#${episodeId}`);
  const more = unowned - numbers.length;
  const [last = '', ...others] = [...numbers, ...(more > 0 ? [`${more} more`] : [])].reverse();
  const named = others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
  return mrkdwn`🔴 *${incidents}: ${named} ${unowned === 1 ? 'is' : 'are'} unassigned*`;
}

function rangeWords({ range: { from, to } }: Handover): Markup {
  const length = describeDuration(to.getTime() - from.getTime());
  return mrkdwn`${time(from, 'day')} – ${timeNear(to, from)} (${length})`;
}

interface Part {
  readonly title: Markup;
  readonly lines: readonly Markup[];
}

/** Adds the environment to a line if there are several. */
type Placed = (line: Markup, environment: string) => Markup;

/** Returns the parts that aren't empty, each limited to `most` lines. With several environments, a line says of which it is. */
function partsOf(handover: Handover, options: HandoverOptions, most: number): Part[] {
  const { open, over, mutes, mutesTo, tests, changes, environments } = handover;
  const hours = hoursOf(handover, options);
  // An incident is over once it had no failure for a day.
  const sinceOver = hoursOf(handover, options, EPISODE_MS);
  const notChecked = environments.flatMap(({ name, gaps, unchecked }) => [
    ...gaps.map((gap) => gapLine(gap, options)),
    ...unchecked.map((window) => uncheckedLine(window, name, options)),
  ]);
  const placed: Placed = (line, environment) =>
    environments.length < 2 ? line : mrkdwn`${line} · ${labelled(environment, options.configured).label}`;
  const part = <Item>(
    title: Markup,
    { items, more }: Some<Item>,
    lineOf: (item: Item) => Markup,
    see = mrkdwn``,
  ): Part => {
    const left = more + Math.max(0, items.length - most);
    const rest = left === 0 ? [] : [mrkdwn`and ${left} more${see}`];
    return { title, lines: [...items.slice(0, most).map(lineOf), ...rest] };
  };
  const parts = [
    part(
      mrkdwn`Still open`,
      open,
      (now) => placed(openLine(now, handover, options), now.tally.group.environment),
      mrkdwn`: the Home tab lists all`,
    ),
    part(
      mrkdwn`Over`,
      over,
      (now) => placed(overLine(now, handover, options), now.tally.group.environment),
      mrkdwn`: ${commandFor(`/notif history since:${sinceOver}h`, handover, 'one')}`,
    ),
    changesPart(
      changes,
      most,
      ({ what, at, environment }) => placed(mrkdwn`${changedWords(what)}, ${time(at, 'day')}`, environment),
      commandFor(`/notif changes since:${hours}h`, handover, 'several'),
    ),
    part(mrkdwn`Mutes that end by ${time(mutesTo, 'day')}`, mutes, (mute) => muteLine(mute, placed, options)),
    part(mrkdwn`Tests sent`, tests, (test) => placed(testLine(test), test.environment)),
    part(mrkdwn`Gaps in what was checked`, { items: notChecked, more: 0 }, (line) => line),
  ];
  return parts.filter(({ lines }) => lines.length > 0);
}

/** In characters; with more, the environments are left to the reader. */
const LONGEST_NAMES = 120;

/** Returns a command for the environments of a handover: without `env:` it would be about the channel's own. */
function commandFor(command: string, { environments }: Handover, takes: 'one' | 'several'): Markup {
  const names = environments.map(({ name }) => name).join(',');
  const fits = names.length <= LONGEST_NAMES && (takes === 'several' || environments.length === 1);
  return fits
    ? code(`${command} env:${names}`, 200)
    : mrkdwn`${code(command)}, with ${code('env:')} for each environment`;
}

/** Unlike in the other parts, it isn't known how many more there are. */
function changesPart(
  { items, hasMore }: Handover['changes'],
  most: number,
  lineOf: (change: EnvironmentChange) => Markup,
  command: Markup,
): Part {
  const rest = hasMore || items.length > most ? [mrkdwn`and more: ${command}`] : [];
  return { title: mrkdwn`Changes`, lines: [...items.slice(0, most).map(lineOf), ...rest] };
}

/** Marks an outage that has begun since the handover's start, by the clock of its service, which dates it. */
function newMark({ tally, outageSince }: IncidentNow, { environments }: Handover): string {
  const isNew = environments.some(
    ({ name, datedFrom }) => name === tally.group.environment && outageSince >= datedFrom,
  );
  return isNew ? ' (new)' : '';
}

function openLine(now: IncidentNow, handover: Handover, options: HandoverOptions): Markup {
  const { tally, outageSince, state } = now;
  const emoji = state.is === 'firing' ? VERDICT_EMOJI[shownVerdict(now)] : '⚪';
  const calm = state.is === 'firing' ? [] : [mrkdwn`no failures since ${time(tally.lastSeen, 'day')}`];
  const facts = [
    ownerWords(now, options),
    mrkdwn`since ${time(outageSince, 'day')}${newMark(now, handover)}`,
    ...factsOf(now),
    ...calm,
    ...noted(now, options),
  ];
  return mrkdwn`${emoji} ${titleOf(now)}: ${joined(facts, ' · ')}`;
}

function overLine(now: IncidentNow, handover: Handover, options: HandoverOptions): Markup {
  const { tally, outageSince, state } = now;
  const span = mrkdwn`${time(outageSince, 'day')} – ${timeNear(tally.lastSeen, outageSince)}${newMark(now, handover)}`;
  const facts = [span, ...factsOf(now), outcomeWords(state, options), ...noted(now, options)];
  const emoji = state.is === 'resolved' ? '✅' : '⚪';
  return mrkdwn`${emoji} ${titleOf(now)}: ${joined(facts, ' · ')}`;
}

function titleOf(now: IncidentNow): Markup {
  return mrkdwn`${incidentTitle(now)}${relapsedMark(now)} · #${String(now.episodeId)}`;
}

/** The counts are those of an outage's last day, which is named if there were others. */
function factsOf({ tally, outageSince }: IncidentNow): Markup[] {
  const day = outageSince < tally.firstSeen ? mrkdwn` since ${time(tally.firstSeen, 'day')}` : mrkdwn``;
  return [mrkdwn`${failureCount(tally.verdict, tally.failures)}${day}`, plural(tally.subscribers, 'subscriber')];
}

function ownerWords(now: IncidentNow, { names }: HandoverOptions): Markup {
  const { assigned, acknowledged } = now;
  const owner = ownerOf(now);
  if (owner === null) return mrkdwn`⚠️ unassigned`;
  const who = nameOf(owner, names);
  if (assigned !== null) return mrkdwn`🙋 assigned to ${who}`;
  return mrkdwn`👀 ${who} acknowledged it ${time(acknowledged?.at ?? null, 'day')}`;
}

function outcomeWords(state: StateNow, { names }: HandoverOptions): Markup {
  if (state.is !== 'resolved') return mrkdwn`no failures since, not resolved`;
  return state.by === null ? mrkdwn`recovered` : mrkdwn`resolved by ${nameOf(state.by, names)}`;
}

/** Returns the note about an incident or, if there is none, the one about its last time. */
function noted({ note, lastTime }: IncidentNow, { names }: HandoverOptions): Markup[] {
  if (note !== null) return [mrkdwn`📝 ${nameOf(note.by, names)}: ${noteWords(note)}`];
  const before = lastTime?.note ?? null;
  return before === null ? [] : [mrkdwn`📝 ${nameOf(before.by, names)}, last time: ${noteWords(before)}`];
}

function muteLine({ channel, muted, by, until }: EndingMute, placed: Placed, { names }: HandoverOptions): Markup {
  const where = channel === null ? mrkdwn`a private channel` : channelLink(channel);
  const end = mrkdwn`in ${where} until ${time(until, 'day')}, muted by ${nameOf(by, names)}`;
  return 'watches' in muted
    ? mrkdwn`🔕 ${muted.watches === 1 ? 'a watch' : `${muted.watches} watches`} ${end}`
    : placed(mrkdwn`🔕 ${named(channelVia(muted.channel, muted.provider))} ${end}`, muted.environment);
}

/** Describes a test. Only operators see who sent it. */
function testLine({ workflow, at, accepted }: SentTest): Markup {
  const howMany = accepted === null ? mrkdwn`whether it was sent isn't known` : mrkdwn`${plural(accepted, 'event')}`;
  return mrkdwn`🧪 ${named(maskedId(workflow))}, ${howMany}, ${time(at, 'day')}`;
}

function hasUncheckedTime({ to, unchecked, givenUp }: Gap): boolean {
  return to === null || unchecked.length + givenUp.length > 0;
}

function gapLine(gap: Gap, { configured }: HandoverOptions): Markup {
  const { from, to, unchecked, givenUp, environment: name } = gap;
  const environment = configured.find((one) => one.name === name);
  const { why } = explainGap(gap.cause, environment ?? { apiUrlVariable: 'its address', apiKeyVariable: 'its key' });
  const span = to === null ? mrkdwn`since ${time(from, 'day')}` : datedWindow({ from, to });
  const left = [
    ...(unchecked.length === 0 ? [] : [mrkdwn`still to be checked: ${windowsWords(unchecked, datedWindow)}`]),
    ...(givenUp.length === 0 ? [] : [mrkdwn`not recovered: ${windowsWords(givenUp, datedWindow)}`]),
  ];
  const outcome = left.length > 0 ? left : to === null ? [] : [mrkdwn`checked since`];
  const line = joined([mrkdwn`${span}: ${why}`, ...outcome], ' · ');
  return mrkdwn`${hasUncheckedTime(gap) ? '⚠️' : '✅'} ${badge(labelled(name, configured))} ${line}`;
}

function uncheckedLine(window: TimeRange, name: string, { configured }: HandoverOptions): Markup {
  return mrkdwn`⚠️ ${badge(labelled(name, configured))} ${datedWindow(window)}: not checked`;
}

function nameOf(userId: string, names: ReadonlyMap<string, string>): Markup {
  const name = names.get(userId);
  return name === undefined ? mrkdwn`somebody` : named(name);
}
