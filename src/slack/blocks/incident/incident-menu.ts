import type { ActionsBlock, Button, Overflow, PlainTextOption } from '@slack/types';
import type { Example, GroupTally } from '../../../domain/failures/failure.ts';
import type { ActionTarget } from '../../../domain/incidents/incident-actions.ts';
import type { IncidentNow } from '../../../domain/incidents/incident-now.ts';
import { targetOf } from '../../../domain/lookups/looked-up.ts';
import { button } from '../blocks.ts';
import { parseValue, writeValue } from '../button-value.ts';
import { incidentChartButton } from '../buttons/chart-button.ts';
import { isForEveryone, type LookupRequest, lookUpButtonFor } from '../buttons/lookup-button.ts';
import { groupName } from './group-words.ts';

/** The menu of a group's row. The chosen entry is a `GroupAct`, and the block's ID names the target. */
export const ACT = 'group.act';

/** [View events] of a row whose menu has no room for it. The block's ID names the target. */
export const EVENTS = 'group.events';

/** [View affected] under the events of a row. Its value is the target. */
export const AFFECTED = 'group.affected';

const LABELS = {
  acknowledge: 'Acknowledge',
  unacknowledge: 'Unacknowledge',
  assign: 'Assign…',
  resolve: 'Resolve',
  mute: 'Mute…',
  unmute: 'Unmute',
  note: 'Add a note…',
  events: 'View events',
  affected: 'View affected',
} as const;

export type GroupAct = keyof typeof LABELS;

/**
 * Builds [Look up] [View events] [Chart] [⋯]; the first only if there is an example to look up. The target is encoded once, in the block's
 * ID, since ten rows share Slack's block limit. Outside a watch's messages there is no watch to mute in, so `/notif mute` is used instead,
 * and the chart is behind 'View events'.
 */
export function groupActions(now: IncidentNow, deliveryId: string, isTerse = false): ActionsBlock {
  const { tally, episodeId } = now;
  const example = lookUpExample(tally);
  const acts = actsOf(now, deliveryId, isTerse);
  return {
    type: 'actions',
    block_id: writeSubject({ deliveryId, episodeId }),
    elements: [
      ...(example === null ? [] : [example]),
      ...(acts.includes('events') ? [] : [button(LABELS.events, EVENTS, writeValue([]))]),
      ...(isTerse || deliveryId === '' ? [] : [incidentChartButton(groupName(tally))]),
      menu(acts),
    ],
  };
}

export function incidentMenu(now: IncidentNow, deliveryId: string): Overflow {
  return menu(actsOf(now, deliveryId));
}

/** Builds the menu of an episode that another followed: what is done about the incident is done in the last one. */
export function pastMenu(): Overflow {
  return menu(['note', 'events', 'affected']);
}

/** Slack's limit for entries in a menu. */
const MOST_ENTRIES = 5;

function menu(acts: readonly GroupAct[]): Overflow {
  return { type: 'overflow', action_id: ACT, options: acts.map(entry) };
}

/**
 * Returns the menu's entries. If the menu is full, 'View events' is a button beside it, and 'View affected' is behind 'View events'. Ten
 * terse rows have no room for more buttons: they leave the note to `/notif note` and the chart to 'View events'.
 */
function actsOf({ state, acknowledged, mute }: IncidentNow, deliveryId: string, isTerse = false): readonly GroupAct[] {
  const acts: readonly GroupAct[] = [
    ...(state.is === 'resolved'
      ? []
      : ([acknowledged === null ? 'acknowledge' : 'unacknowledge', 'assign', 'resolve'] as const)),
    ...(deliveryId === '' ? [] : ([mute === null ? 'mute' : 'unmute'] as const)),
    ...(isTerse && deliveryId !== '' ? [] : (['note'] as const)),
    'events',
    'affected',
  ];
  return acts.slice(0, MOST_ENTRIES);
}

function entry(act: GroupAct): PlainTextOption {
  return { text: { type: 'plain_text', text: LABELS[act] }, value: act };
}

export function writeSubject({ deliveryId, episodeId }: ActionTarget): string {
  return writeValue([deliveryId, String(episodeId)]);
}

/** Parses a value of `writeSubject`. Null for anything else. */
export function parseSubject(value: string): ActionTarget | null {
  const [deliveryId, episodeId = '', ...others] = parseValue(value) ?? [];
  if (deliveryId === undefined || !/^\d{1,15}$/.test(episodeId) || others.length > 0) return null;
  return { deliveryId, episodeId: Number(episodeId) };
}

/** Parses a choice from a row's menu: the entry and its target. Null unless it's of this version. */
export function parseAct(
  value: string,
  blockId: string,
): { readonly act: GroupAct; readonly subject: ActionTarget } | null {
  const subject = parseSubject(blockId);
  return isAct(value) && subject !== null ? { act: value, subject } : null;
}

function isAct(value: string): value is GroupAct {
  return Object.hasOwn(LABELS, value);
}

/** Builds [Look up] for a group's example. Null if its value would show a contact. */
export function lookUpExample(tally: GroupTally): Button | null {
  const request = exampleOf(tally.group.environment, tally.example);
  return isForEveryone(request) ? lookUpButtonFor(request, groupName(tally)) : null;
}

/** Returns the lookup of a group's example. */
function exampleOf(environment: string, { eventId, transactionId }: Example): LookupRequest {
  return { environment, target: targetOf({ id: eventId, transactionId }) };
}
