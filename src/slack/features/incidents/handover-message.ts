import { explainGap } from '../../../health/explain.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import type { Some } from '../../../incidents/lists.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import { describeDuration } from '../../../lib/time/time-range.ts';
import type { Gap } from '../../../polling/gap.ts';
import {
  actions,
  button,
  context,
  header,
  lineSections,
  type MessageContent,
  message,
  section,
} from '../../kit/blocks.ts';
import { fitCount } from '../../kit/fit.ts';
import { personal } from '../../kit/for-everyone.ts';
import { rowEmoji } from '../../kit/incident/incident-row.ts';
import { incidentTitle, noteWords } from '../../kit/incident/incident-words.ts';
import { channelVia, failureCount } from '../../kit/incident/names.ts';
import { type SinceRequest, writeRequest } from '../../kit/since-request.ts';
import { badge, bold, channelLink, code, firstOf, joined, type Markup, mrkdwn, named, plural } from '../../kit/text.ts';
import { datedWindow, time, timeNear } from '../../kit/times.ts';
import type { Handover } from './handover.ts';

export const SHARE = 'share.handover';

export interface HandoverOptions {
  readonly configured: readonly Environment[];
  /** By Slack user ID, because a mention would notify them. */
  readonly names: ReadonlyMap<string, string>;
}

/** Of lines in a part; fewer if the message has no room for them. */
const MOST_LINES = 15;
const MOST_CHECKED = 5;

export function handoverMessage(handover: Handover, options: HandoverOptions, request: SinceRequest): MessageContent {
  const { from, to } = handover.range;
  const headline = headlineOf(handover);
  const range = mrkdwn`${time(from, 'day')} – ${timeNear(to, from)} (${describeDuration(to.getTime() - from.getTime())})`;
  const { blocks } = fitCount(MOST_LINES, (most) => [
    header('🤝 Handover'),
    section(headline),
    context(joined([range, ...checkedWords(handover, options)], ' · ')),
    ...partsOf(handover, options, most),
    ...actions([personal(button('Share', SHARE, writeRequest(request)))]),
  ]);
  return message(mrkdwn`Handover: ${headline}`, blocks);
}

/** What matters most first: unassigned incidents, then open ones, then that not everything was checked. */
function headlineOf({ open, over, environments }: Handover): Markup {
  const isChecked = environments.every(
    ({ checkedTo, gaps, unchecked }) =>
      checkedTo !== null && unchecked.length === 0 && gaps.every((gap) => gapState(gap) === 'caught up'),
  );
  const total = open.items.length + open.more;
  const incidents = plural(total, 'open incident');
  const calm = isChecked ? mrkdwn`✅ *No open incidents*` : mrkdwn`⚪ *No known open incidents*`;
  const owned = mrkdwn`🟡 *${incidents}, ${total === 1 ? '' : 'all '}assigned or acknowledged*`;
  const unowned = mrkdwn`🔴 *${incidents}, ${open.unowned} unassigned*`;
  const first = total === 0 ? calm : open.unowned === 0 ? owned : unowned;
  const unchecked = isChecked ? [] : [mrkdwn`⚠️ not everything was checked`];
  return joined([first, mrkdwn`${over.items.length + over.more} over`, ...unchecked], ' · ');
}

function gapState({ to, unchecked, givenUp }: Gap): 'open' | 'catching up' | 'partly lost' | 'caught up' {
  if (to === null) return 'open';
  if (unchecked.length > 0) return 'catching up';
  return givenUp.length > 0 ? 'partly lost' : 'caught up';
}

/** Those furthest behind first. */
function checkedWords({ environments, range }: Handover, { configured }: HandoverOptions) {
  const behindFirst = environments.toSorted((a, b) => Number(a.checkedTo) - Number(b.checkedTo));
  const words = behindFirst.map(({ name, checkedTo }) => {
    const { label } = labelled(name, configured);
    if (checkedTo === null) return mrkdwn`${label} not checked yet`;
    return mrkdwn`${label} checked to ${timeNear(checkedTo, range.to, 'seconds')}`;
  });
  return firstOf(words, MOST_CHECKED);
}

function partsOf({ open, over, mutes, mutesTo, environments }: Handover, options: HandoverOptions, most: number) {
  const notChecked = environments.flatMap(({ name, gaps, unchecked }) => [
    ...gaps.map((gap) => gapLine(gap, options)),
    ...unchecked.map((window) => mrkdwn`⚠️ ${badgeOf(name, options)} ${datedWindow(window)}: not checked`),
  ]);
  const incidentLine = (incident: IncidentNow) => {
    const { tally, id } = incident;
    const { label } = labelled(tally.kind.environment, options.configured);
    const facts = [...incidentFacts(incident, options), ...(environments.length > 1 ? [mrkdwn`${label}`] : [])];
    return mrkdwn`${rowEmoji(incident)} ${incidentTitle(incident)} · #${String(id)}: ${joined(facts, ' · ')}`;
  };
  const part = <Item>(title: Markup, { items, more }: Some<Item>, lineOf: (item: Item) => Markup, see = mrkdwn``) => {
    const left = more + Math.max(0, items.length - most);
    const rest = left === 0 ? [] : [mrkdwn`and ${left} more${see}`];
    const lines = [...items.slice(0, most).map(lineOf), ...rest];
    return lines.length === 0 ? [] : lineSections([bold(title), ...lines]);
  };
  return [
    ...part(mrkdwn`Open`, open, incidentLine, mrkdwn`: the Home tab lists all`),
    ...part(mrkdwn`Over`, over, incidentLine, mrkdwn`: ${code('/notif history')}`),
    ...part(mrkdwn`Gaps`, { items: notChecked, more: 0 }, (line) => line),
    ...part(mrkdwn`Mutes that end by ${time(mutesTo, 'day')}`, mutes, (mute) => muteLine(mute, options)),
  ];
}

/** Who has it or how it ended, since when, how much, and what was noted. */
function incidentFacts(incident: IncidentNow, { names }: HandoverOptions): Markup[] {
  const { tally, firstAt, state, note, assigned, acknowledged } = incident;
  const owner = assigned?.to ?? acknowledged?.by ?? null;
  const who =
    owner === null ? mrkdwn`⚠️ unassigned` : mrkdwn`${assigned === null ? '👀' : '🙋'} ${nameOf(owner, names)}`;
  const span = mrkdwn`${time(firstAt, 'day')} – ${timeNear(tally.lastSeen, firstAt)}`;
  const by = state.is === 'resolved' && state.by !== null ? mrkdwn`resolved by ${nameOf(state.by, names)}` : null;
  return [
    ...(state.is === 'resolved' ? [span] : [who, mrkdwn`since ${time(firstAt, 'day')}`]),
    mrkdwn`${failureCount(tally.verdict, tally.failures)} · ${plural(tally.subscribers, 'person', 'people')}`,
    ...(state.is === 'resolved' ? [by ?? mrkdwn`recovered`] : []),
    ...(state.is === 'recovering' || state.is === 'unconfirmed'
      ? [mrkdwn`no failures since ${time(tally.lastSeen, 'day')}`]
      : []),
    ...(note === null ? [] : [mrkdwn`📝 ${nameOf(note.by, names)}: ${noteWords(note)}`]),
  ];
}

function muteLine({ channel, muted, by, until }: Handover['mutes']['items'][number], options: HandoverOptions): Markup {
  const where = channel === null ? mrkdwn`a private channel` : channelLink(channel);
  const end = mrkdwn`in ${where} until ${time(until, 'day')}, muted by ${nameOf(by, options.names)}`;
  if ('watches' in muted) return mrkdwn`🔕 ${muted.watches === 1 ? 'a watch' : `${muted.watches} watches`} ${end}`;
  const { label } = labelled(muted.environment, options.configured);
  return mrkdwn`🔕 ${named(channelVia(muted.channel, muted.provider))} of ${label} ${end}`;
}

function gapLine(gap: Gap, options: HandoverOptions): Markup {
  const { from, to, environment: name } = gap;
  const environment = options.configured.find((environment) => environment.name === name);
  const { why } = explainGap(gap.cause, environment ?? { apiUrlVariable: 'its address', apiKeyVariable: 'its key' });
  const span = to === null ? mrkdwn`since ${time(from, 'day')}` : datedWindow({ from, to });
  const state = gapState(gap);
  return mrkdwn`${state === 'caught up' ? '✅' : '⚠️'} ${badgeOf(name, options)} ${span}: ${why} · ${state}`;
}

const badgeOf = (name: string, { configured }: HandoverOptions) => badge(labelled(name, configured));
const nameOf = (userId: string, names: HandoverOptions['names']) => named(names.get(userId) ?? 'somebody');
