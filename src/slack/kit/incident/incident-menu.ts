import type { ActionsBlock, Button, Overflow, PlainTextOption, SectionBlock } from '@slack/types';
import type { Tally } from '../../../failures/failure.ts';
import type { ActionTarget } from '../../../incidents/actions.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { targetOf } from '../../../lookups/event.ts';
import { button, section } from '../blocks.ts';
import { parseValue, writeValue } from '../button-value.ts';
import { exampleButton } from '../buttons.ts';
import { joined, type Markup, mrkdwn } from '../text.ts';
import { stateWords, titleWords } from './incident-words.ts';
import { kindName } from './kind-words.ts';

/** The chosen entry is an `IncidentAct`, and the block's ID names the target. */
export const ACT = 'row.act';

/** The act that a row shows as a button: elements of a block need different IDs. */
export const ACT_BUTTON = 'row.act-button';

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

/** The target is encoded once, in the block's ID, since ten rows share Slack's block limit. */
export function incidentActions(now: IncidentNow, messageId: ActionTarget['messageId']): ActionsBlock {
  const { tally, id: incidentId } = now;
  const [first, ...others] = actsOf(now, messageId);
  const isOpen = now.state.is !== 'resolved';
  return {
    type: 'actions',
    block_id: writeActionTarget({ messageId, incidentId }),
    elements: [
      ...(isOpen && first !== undefined ? [button(LABELS[first], ACT_BUTTON, first)] : []),
      lookUpExample(tally),
      menu(isOpen || first === undefined ? others : [first, ...others]),
    ],
  };
}

/** For a row that has only a menu, without the note: `/notif note` adds one. */
export function incidentMenu(now: IncidentNow, messageId: ActionTarget['messageId'] = null): Overflow {
  const acts = actsOf(now, messageId);
  return menu(acts.length > MOST_ENTRIES ? acts.filter((act) => act !== 'note') : acts);
}

/** Slack's limit for entries in a menu. */
const MOST_ENTRIES = 5;

function menu(acts: readonly IncidentAct[]): Overflow {
  return { type: 'overflow', action_id: ACT, options: acts.slice(0, MOST_ENTRIES).map(entry) };
}

/** Outside a watch's messages there is no watch to mute in: `/notif mute` does it. 'View events' offers the rest. */
function actsOf({ state, acknowledged, mute }: IncidentNow, messageId: string | null): readonly IncidentAct[] {
  const muting: readonly IncidentAct[] = messageId === null ? [] : [mute === null ? 'mute' : 'unmute'];
  if (state.is === 'resolved') return [...muting, 'note', 'events', 'affected'];
  return [acknowledged === null ? 'acknowledge' : 'unacknowledge', 'assign', ...muting, 'note', 'events', 'resolve'];
}

function entry(act: IncidentAct): PlainTextOption {
  return { text: { type: 'plain_text', text: LABELS[act] }, value: act };
}

export function writeActionTarget({ messageId, incidentId }: ActionTarget, ...others: readonly string[]): string {
  return writeValue([messageId ?? '', String(incidentId), ...others]);
}

export function parseActionTarget(value: string): ActionTarget | null {
  const parsed = parseTargetAndOthers(value);
  return parsed === null || parsed.others.length > 0 ? null : parsed.target;
}

export function parseTargetAndOthers(
  value: string,
): { readonly target: ActionTarget; readonly others: readonly string[] } | null {
  const [messageId, incidentId = '', ...others] = parseValue(value) ?? [];
  if (messageId === undefined || !/^\d{1,15}$/.test(incidentId)) return null;
  return { target: { messageId: messageId === '' ? null : messageId, incidentId: Number(incidentId) }, others };
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

export function lookUpExample(tally: Tally): Button {
  const { eventId: id, transactionId } = tally.example;
  return exampleButton(
    { environment: tally.kind.environment, target: targetOf({ id, transactionId }) },
    kindName(tally),
  );
}

/** A line with its state and menu, in a message about something else. */
export function incidentMention(incident: IncidentNow, lead: Markup): SectionBlock {
  const words = joined([titleWords(incident), ...stateWords(incident)], ' · ');
  const text = mrkdwn`${lead} #${String(incident.id)}: ${words}`;
  const target = { messageId: null, incidentId: incident.id };
  return { ...section(text), block_id: writeActionTarget(target), accessory: incidentMenu(incident) };
}
