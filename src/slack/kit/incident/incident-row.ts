import type { ActionsBlock, KnownBlock, Overflow, PlainTextOption, SectionBlock } from '@slack/types';
import { z } from 'zod';
import type { ExplainedCause } from '../../../causes/explain-cause.ts';
import type { EnvironmentChange } from '../../../changes/change.ts';
import type { ActionTarget } from '../../../incidents/actions.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { describeDuration } from '../../../lib/time/time-range.ts';
import { targetOf } from '../../../lookups/event.ts';
import { button, isSendable, type MessageContent, message, option, section } from '../blocks.ts';
import { Key, lookUpButton, valueParser, writeValue } from '../buttons.ts';
import { applying, bold, code, joined, type Markup, mrkdwn, percent } from '../text.ts';
import { time } from '../times.ts';
import {
  briefFacts,
  changedWords,
  factsLine,
  incidentSentence,
  incidentTitle,
  nextLine,
  quoteOf,
  stateWords,
  titleText,
} from './incident-words.ts';
import { failureCount, OUTCOME_EMOJI } from './names.ts';

export interface IncidentRowOptions {
  /** Null outside a watch's messages. */
  messageId: string | null;
  /** Why it's listed, or where. */
  beside: Markup | null;
  cause?: ExplainedCause | null;
  /** `headed`: its title is in the header. `terse`: one of several. */
  size?: 'whole' | 'headed' | 'terse';
}

export function incidentRow(incident: IncidentNow, options: IncidentRowOptions): KnownBlock[] {
  const { messageId, size } = options;
  const row = section(incidentText(incident, options));
  return size === 'terse' ? [withMenu(row, incident, messageId)] : [row, incidentActions(incident, messageId)];
}

/** The incident alone, below `words` if there are some. */
export function incidentMessage(
  incident: IncidentNow,
  messageId: string | null,
  words: Markup | null = null,
): MessageContent {
  const beside = bold(incident.tally.kind.environment);
  const text = joined([words, incidentSentence(incident, beside)], ' ');
  return message(text, [...(words === null ? [] : [section(words)]), ...incidentRow(incident, { messageId, beside })]);
}

export function incidentText(incident: IncidentNow, options: Omit<IncidentRowOptions, 'messageId'>): Markup {
  const { beside, cause = null, size = 'whole' } = options;
  const isExplained = size !== 'terse' && incident.state.is === 'firing';
  const title = mrkdwn`${rowEmoji(incident)} ${incidentTitle(incident)}`;
  const last = [beside, numberOf(incident)];
  const head = {
    whole: [joined([title, ...last], ' · '), factsLine(incident)],
    headed: [...quoteOf(incident), joined([factsLine(incident), ...last], ' · ')],
    terse: [joined([title, ...briefFacts(incident), ...last], ' · ')],
  }[size];
  const hints = isExplained ? [...changeHint(incident), ...labelHint(incident)] : [];
  const lines = [
    ...head,
    ...(hints.length === 0 ? [] : [joined(hints, ' · ')]),
    ...(isExplained && cause !== null ? nextLine(cause) : []),
    ...stateWords(incident),
  ];
  return joined(lines, '\n');
}

export function rowEmoji({ state, tally: { verdict } }: IncidentNow): string {
  if (state.is !== 'firing') return state.is === 'resolved' ? '✅' : '⚪';
  return OUTCOME_EMOJI[verdict];
}

export function numberOf({ id }: Pick<IncidentNow, 'id'>): Markup {
  return mrkdwn`#${String(id)}`;
}

function labelHint({ shared }: Pick<IncidentNow, 'shared'>): Markup[] {
  if (shared === null) return [];
  const { label, events, of, usually, isOfNewest } = shared;
  const all = mrkdwn`${isOfNewest ? 'the last ' : ''}${of}`;
  const count = events === of && !isOfNewest ? mrkdwn`all of them` : mrkdwn`${events} of ${all}`;
  const kind = label.kind === 'context' ? '' : `${label.kind} `;
  return [mrkdwn`🏷️ ${count} ${kind}${code(maskedId(label.value))} (${percent(usually, 1)} of traffic)`];
}

function changeHint({ changedBefore, startedAt }: Pick<IncidentNow, 'changedBefore' | 'startedAt'>): Markup[] {
  if (changedBefore === null) return [];
  return [mrkdwn`${changedWords(changedBefore.what)} ${whenWords(changedBefore, startedAt)}`];
}

function whenWords({ at, after }: EnvironmentChange, startedAt: Date): Markup {
  if (at > startedAt) return mrkdwn`between ${time(after)} and ${time(at)}`;
  const before = (moment: Date) => describeDuration(startedAt.getTime() - moment.getTime());
  const [least, most] = [before(at), before(after ?? at)];
  return mrkdwn`${least === most ? least : `${least} to ${most}`} before`;
}

/** The block's ID names the target. */
export const ACT = 'row.act';
/** A block's elements need different IDs. */
export const ACT_BUTTON = 'row.act-button';
export const LOOK_UP_INCIDENT = 'incident.look-up';
export const AFFECTED = 'row.affected';

const LABELS = {
  ...{ acknowledge: 'Acknowledge', unacknowledge: 'Unacknowledge', assign: 'Assign…', resolve: 'Resolve' },
  ...{ mute: 'Mute…', unmute: 'Unmute', note: 'Add a note…', events: 'View events', affected: 'View affected' },
  'send-again': 'Send again…',
} as const;

export type IncidentAct = keyof typeof LABELS;

/** Encoded once, in the block's ID: ten rows share Slack's limit. */
export function incidentActions(now: IncidentNow, messageId: ActionTarget['messageId']): ActionsBlock {
  const { tally, id: incidentId } = now;
  const { eventId: id, transactionId } = tally.example;
  const example = { environment: tally.kind.environment, target: targetOf({ id, transactionId }) };
  const [first, ...others] = actsOf(now, messageId);
  const isOpen = now.state.is !== 'resolved';
  return {
    type: 'actions',
    block_id: writeActionTarget({ messageId, incidentId }),
    elements: [
      ...(isOpen && first !== undefined ? [button(LABELS[first], ACT_BUTTON, first)] : []),
      lookUpButton(example, 'Example'),
      menu(isOpen || first === undefined ? others : [first, ...others]),
    ].filter(isSendable),
  };
}

function withMenu(row: SectionBlock, now: IncidentNow, messageId: ActionTarget['messageId']): SectionBlock {
  const blockId = writeActionTarget({ messageId, incidentId: now.id });
  return { ...row, block_id: blockId, accessory: menu(actsOf(now, messageId)) };
}

/** Slack's limit for entries in a menu. */
const MOST_ENTRIES = 5;

function menu(acts: readonly IncidentAct[]): Overflow {
  const options = acts.slice(0, MOST_ENTRIES).map((act) => option(LABELS[act], act));
  return { type: 'overflow', action_id: ACT, options: applying(options) };
}

/** Outside a watch's messages there is none to mute in. The last may have no room: `/notif note` adds a note too. */
function actsOf({ state, acknowledged, mute }: IncidentNow, messageId: string | null): readonly IncidentAct[] {
  const muting: readonly IncidentAct[] = messageId === null ? [] : [mute === null ? 'mute' : 'unmute'];
  if (state.is === 'resolved') return [...muting, 'send-again', 'events', 'affected', 'note'];
  const again: readonly IncidentAct[] = state.is === 'firing' ? [] : ['send-again'];
  return [
    acknowledged === null ? 'acknowledge' : 'unacknowledge',
    ...again,
    'assign',
    ...muting,
    'events',
    'resolve',
    'note',
  ];
}

export function writeActionTarget({ messageId, incidentId }: ActionTarget): string {
  return writeValue([messageId ?? '', String(incidentId)]);
}

export const parseActionTarget = valueParser<ActionTarget>(
  z.tuple([z.string(), Key]).transform(([messageId, incidentId]) => ({ messageId: messageId || null, incidentId })),
);

export function incidentOption(incident: IncidentNow): PlainTextOption | null {
  const { id: incidentId } = incident;
  return option(`#${incidentId} ${titleText(incident)}`, writeActionTarget({ messageId: null, incidentId }));
}

export function parseAct(value: string, blockId: string): { act: IncidentAct; target: ActionTarget } | null {
  const target = parseActionTarget(blockId);
  const isAct = (act: string): act is IncidentAct => Object.hasOwn(LABELS, act);
  return isAct(value) && target !== null ? { act: value, target } : null;
}

export function incidentMention(incident: IncidentNow, lead: string, title: string): SectionBlock {
  const { verdict, failures } = incident.tally;
  const words = joined([title, failureCount(verdict, failures), ...stateWords(incident)], ' · ');
  return withMenu(section(mrkdwn`${lead} ${numberOf(incident)}: ${words}`), incident, null);
}
