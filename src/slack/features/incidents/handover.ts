import { min } from 'date-fns';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { resolvedIncidents } from '../../../incidents/lists.ts';
import { type OpenIncidents, openIncidents, type Top } from '../../../incidents/open-incidents.ts';
import { type Environment, labeled } from '../../../lib/environment.ts';
import { commandText } from '../../../lib/input/filters.ts';
import { describeDuration, HOUR_MS, lengthOf, type TimeRange } from '../../../lib/time/durations.ts';
import { coverageIn } from '../../../lookups/coverage.ts';
import { type ListedMute, listedMutes, withPublicChannels } from '../../../watches/listed-mutes.ts';
import type { SlackCtx } from '../../ctx.ts';
import { incidentText, labelHint } from '../../incident-view/incident-row.ts';
import { actions, context, header, lineSections, type MessageBlock, section } from '../../kit/blocks.ts';
import { shareButton } from '../../kit/buttons.ts';
import { fittingMessage, type MessageContent } from '../../kit/message.ts';
import { mutedPart, mutedTime } from '../../kit/mute-words.ts';
import { channelVia, numberOf } from '../../kit/names.ts';
import {
  badge,
  bold,
  channelLink,
  code,
  joined,
  type Line,
  listed,
  type Markup,
  mrkdwn,
  named,
  person,
  plural,
} from '../../kit/text.ts';
import { datedWindow, time, timeNear, windowsWords } from '../../kit/times.ts';
import type { Command } from '../../router/command.ts';
import { sinceCommand } from '../../router/since-command.ts';

const MOST_OPEN = 15;
const MOST_RESOLVED = 8;

/** Where the rest is, after its number. */
const HISTORY = mrkdwn`: ${code('/notif history')}`;

export function handoverCommand(ctx: SlackCtx): Command {
  return sinceCommand(ctx, {
    word: 'handover',
    purpose: 'failing',
    usage: '[since:8h env:]',
    about: 'what is open and who has it, what is resolved, gaps and mutes, of the last 8 h',
    examples: ['', 'since:12h env:production'],
    for: 'members',
    usualMs: 8 * HOUR_MS,
    answer: async ({ environments: chosen, since }) => {
      const covered = ctx.environments.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
      const text = commandText(['handover'], { since: [since.toISOString()], env: chosen });
      return handoverMessage(await handoverIn(ctx, covered, since), text);
    },
  });
}

export interface Handover {
  range: TimeRange;
  environments: readonly { environment: Environment; checkedTo: Date | null; missing: readonly TimeRange[] }[];
  resolved: Top<IncidentNow>;
  open: OpenIncidents;
  mutes: readonly ListedMute[];
}

export async function handoverIn(
  { db, channels, now }: Pick<SlackCtx, 'db' | 'now'> & { channels: Pick<SlackCtx['channels'], 'isPublic'> },
  covered: readonly Environment[],
  from: Date,
): Promise<Handover> {
  const names = covered.map(({ name }) => name);
  const range = { from, to: now() };
  const environments = await Promise.all(
    covered.map(async (environment) => {
      const { checkedTo, missing } = await coverageIn(db, environment.name, range);
      return { environment, checkedTo, missing };
    }),
  );
  return {
    range,
    environments,
    resolved: await resolvedIncidents(db, names, range, MOST_RESOLVED),
    open: await openIncidents(db, names, MOST_OPEN, range.to),
    mutes: await withPublicChannels(await listedMutes(db, names, range.to), channels),
  };
}

export function handoverMessage(handover: Handover, text: string): MessageContent {
  const { range, environments, open, resolved, mutes } = handover;
  const span = mrkdwn`${datedWindow(range)} (${describeDuration(lengthOf(range))})`;
  const checked = environments
    .toSorted((a, b) => Number(a.checkedTo) - Number(b.checkedTo))
    .map(({ environment: { label }, checkedTo }) =>
      checkedTo === null
        ? mrkdwn`${label} not checked yet`
        : mrkdwn`${label} checked to ${timeNear(min([checkedTo, range.to]), range.to, 'seconds')}`,
    );
  const notChecked = environments
    .filter(({ missing }) => missing.length > 0)
    .map(({ environment, missing }) => mrkdwn`⚠️ ${badge(environment)} ${windowsWords(missing, datedWindow)}`);
  const covered = environments.map(({ environment }) => environment);
  const linesOf = (incident: IncidentNow) => incidentLines(incident, covered);
  return fittingMessage(MOST_OPEN, (most) => [
    header('🤝 Handover'),
    section(headlineOf(handover)),
    context(joined([span, listed(checked, ' · ')])),
    ...part('Open', { items: open.items.map(linesOf), more: open.more, hint: HISTORY }, most),
    ...part('Resolved', { items: resolved.items.map(linesOf), more: resolved.more, hint: HISTORY }, most),
    ...part('Not checked', { items: notChecked }, most),
    ...part('Mutes', { items: mutes.map((mute) => muteLine(mute, covered)) }, most),
    ...actions([shareButton(text)]),
  ]);
}

interface Part {
  items: readonly Line[];
  more?: number;
  /** Where the rest is. */
  hint?: Markup;
}

function part(title: string, { items, more = 0, hint = mrkdwn`` }: Part, most: number): MessageBlock[] {
  const left = more + Math.max(0, items.length - most);
  const rest = left > 0 && mrkdwn`and ${left} more${hint}`;
  return items.length + left === 0 ? [] : lineSections([bold(title), ...items.slice(0, most), rest]);
}

function headlineOf({ open, resolved, environments }: Handover): Markup {
  const isChecked = environments.every(({ missing }) => missing.length === 0);
  const total = open.items.length + open.more;
  const calm = isChecked ? mrkdwn`✅ *No open incidents*` : mrkdwn`⚪ *No known open incidents*`;
  const emoji = open.items.some(({ state }) => state.is === 'firing') ? '🔴' : '⚪';
  const incidents = plural(total, 'open incident');
  const owned = mrkdwn`🟡 *${incidents}, ${total === 1 ? '' : 'all '}assigned or acknowledged*`;
  const unowned = mrkdwn`${emoji} *${incidents}, ${open.unowned} unassigned*`;
  const some = open.unowned === 0 ? owned : unowned;
  const first = total === 0 ? calm : some;
  const unchecked = !isChecked && '⚠️ not everything was checked';
  return joined([first, mrkdwn`${resolved.items.length + resolved.more} resolved`, unchecked]);
}

function incidentLines(incident: IncidentNow, covered: readonly Environment[]): Markup {
  const { environment, kind, beganAt, earlier, state, assignedTo, acknowledged } = incident;
  const isOpen = state.is !== 'resolved';
  const facts = [
    isOpen && !assignedTo && !acknowledged && '⚠️ unassigned',
    isOpen && kind === 'failures' && mrkdwn`since ${time(beganAt)}`,
    earlier.length > 0 && mrkdwn`before: ${windowsWords(earlier, datedWindow)}`,
    covered.length > 1 && labeled(environment, covered).label,
    labelHint(incident),
  ];
  return incidentText(incident, { beside: joined(facts), size: 'terse' });
}

function muteLine(mute: ListedMute, covered: readonly Environment[]): Markup {
  const { channel, incident, watches, actor, from, until: to, isPlanned } = mute;
  const end = mrkdwn`in ${channelLink(channel)} ${mutedTime({ from, to, isPlanned })}, muted by ${person(actor)}`;
  if (incident === null) return mrkdwn`🔕 ${mutedPart(mute) ?? plural(watches, 'watch', 'watches')} ${end}`;
  const { label } = labeled(incident.environment, covered);
  return mrkdwn`🔕 ${numberOf(incident.id)} ${named(channelVia(incident.channel, incident.provider))} of ${label} ${end}`;
}
