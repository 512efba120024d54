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

/** The chosen entry is an `IncidentAct`, and the block's ID names the target. */
export const ACT = 'row.act';

/** For a row whose menu has no room for it. The block's ID names the target. */
export const EVENTS = 'row.events';

/** Its value is the target. */
export const AFFECTED = 'row.affected';

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

export type IncidentAct = keyof typeof LABELS;

/**
 * The target is encoded once, in the block's ID, since ten rows share Slack's block limit. Outside a watch's messages
 * the chart is behind 'View events'.
 */
export function incidentActions(now: IncidentNow, messageId: ActionTarget['messageId'], isTerse = false): ActionsBlock {
  const { tally, episodeId } = now;
  const example = lookUpExample(tally);
  const acts = actsOf(now, messageId, isTerse);
  return {
    type: 'actions',
    block_id: writeActionTarget({ messageId, episodeId }),
    elements: [
      ...(example === null ? [] : [example]),
      ...(acts.includes('events') ? [] : [button(LABELS.events, EVENTS, writeValue([]))]),
      ...(isTerse || messageId === null ? [] : [incidentChartButton(groupName(tally))]),
      menu(acts),
    ],
  };
}

/** Outside a watch's messages there is no watch to mute in: `/notif mute` does it. */
export function incidentMenu(now: IncidentNow): Overflow {
  return menu(actsOf(now, null));
}

/** For an episode that another followed: what is done about the incident is done in the last one. */
export function pastMenu(): Overflow {
  return menu(['note', 'events', 'affected']);
}

/** Slack's limit for entries in a menu. */
const MOST_ENTRIES = 5;

function menu(acts: readonly IncidentAct[]): Overflow {
  return { type: 'overflow', action_id: ACT, options: acts.map(entry) };
}

/**
 * If the menu is full, 'View events' is a button beside it, and 'View affected' is behind 'View events'. Ten terse rows
 * have no room for more buttons: they leave the note to `/notif note` and the chart to 'View events'.
 */
function actsOf(
  { state, acknowledged, mute }: IncidentNow,
  messageId: ActionTarget['messageId'],
  isTerse = false,
): readonly IncidentAct[] {
  const acts: readonly IncidentAct[] = [
    ...(state.is === 'resolved'
      ? []
      : ([acknowledged === null ? 'acknowledge' : 'unacknowledge', 'assign', 'resolve'] as const)),
    ...(messageId === null ? [] : ([mute === null ? 'mute' : 'unmute'] as const)),
    ...(isTerse && messageId !== null ? [] : (['note'] as const)),
    'events',
    'affected',
  ];
  return acts.slice(0, MOST_ENTRIES);
}

function entry(act: IncidentAct): PlainTextOption {
  return { text: { type: 'plain_text', text: LABELS[act] }, value: act };
}

export function writeActionTarget({ messageId, episodeId }: ActionTarget, ...others: readonly string[]): string {
  return writeValue([messageId ?? '', String(episodeId), ...others]);
}

export function parseActionTarget(value: string): ActionTarget | null {
  const parsed = parseTargetAndOthers(value);
  return parsed === null || parsed.others.length > 0 ? null : parsed.target;
}

export function parseTargetAndOthers(
  value: string,
): { readonly target: ActionTarget; readonly others: readonly string[] } | null {
  const [messageId, episodeId = '', ...others] = parseValue(value) ?? [];
  if (messageId === undefined || !/^\d{1,15}$/.test(episodeId)) return null;
  return { target: { messageId: messageId === '' ? null : messageId, episodeId: Number(episodeId) }, others };
}

export function parseAct(
  value: string,
  blockId: string,
): { readonly act: IncidentAct; readonly target: ActionTarget } | null {
  const target = parseActionTarget(blockId);
  return isAct(value) && target !== null ? { act: value, target } : null;
}

function isAct(value: string): value is IncidentAct {
  return Object.hasOwn(LABELS, value);
}

/** Null if its value would show a contact. */
export function lookUpExample(tally: GroupTally): Button | null {
  const request = exampleOf(tally.group.environment, tally.example);
  return isForEveryone(request) ? lookUpButtonFor(request, groupName(tally)) : null;
}

function exampleOf(environment: string, { eventId, transactionId }: Example): LookupRequest {
  return { environment, target: targetOf({ id: eventId, transactionId }) };
}
