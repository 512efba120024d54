import type { ActionsBlock, Overflow, SectionBlock } from '@slack/types';
import { z } from 'zod';
import type { ActionTarget } from '../../incidents/actions.ts';
import { type IncidentNow, refOf } from '../../incidents/incident.ts';
import { isNotAFailure } from '../../judging/verdict.ts';
import { writeIncidentRef } from '../../lib/input/typed-values.ts';
import { targetOf } from '../../lookups/event.ts';
import { button, isSendable, option } from '../kit/blocks.ts';
import { IncidentText, valueParser, writeValue } from '../kit/button-values.ts';
import { lookUpButton } from '../kit/buttons.ts';
import { present } from '../kit/text.ts';
import type { ShownMute } from './incident-words.ts';

interface VerbWords {
  label: string;
  did: string;
  effect?: string;
  unchanged: string;
}

export type Verb =
  | ('acknowledged' | 'unacknowledged' | 'assigned' | 'resolved' | 'reopened' | 'noted')
  | ('muted' | 'unmuted' | 'followed' | 'unfollowed');

export const VERBS: Record<Verb, VerbWords> = {
  acknowledged: {
    label: 'Acknowledge',
    did: '👀 Acknowledged',
    effect: 'Mentions stop.',
    unchanged: 'is already acknowledged',
  },
  unacknowledged: {
    label: 'Unacknowledge',
    did: '↩️ Unacknowledged',
    effect: 'Its alerts mention people again.',
    unchanged: "isn't acknowledged",
  },
  assigned: { label: 'Assign…', did: '🙋 Assigned', unchanged: 'is already assigned' },
  resolved: {
    label: 'Resolve',
    did: '✅ Resolved',
    effect: 'If it fails again, it is alerted to again.',
    unchanged: 'is already resolved',
  },
  reopened: {
    label: 'Reopen',
    did: '↩️ Reopened',
    unchanged: "isn't resolved by anyone, so there is nothing to reopen",
  },
  noted: { label: 'Add a note…', did: '📝 Note', unchanged: 'has this note already' },
  muted: {
    label: 'Mute…',
    did: '🔕 Muted',
    unchanged: 'is in no watch here: mute it in a channel that it was alerted in',
  },
  unmuted: { label: 'Unmute', did: '🔔 Unmuted', unchanged: "isn't muted here" },
  followed: { label: 'Follow', did: '👣 Following', unchanged: 'is already followed by you' },
  unfollowed: { label: 'Unfollow', did: '👣 No longer following', unchanged: "isn't followed by you" },
};

const ENTRIES = {
  ...VERBS,
  events: { label: 'View events' },
  affected: { label: 'View affected' },
  timeline: { label: 'Timeline' },
  'on-call': { label: 'On call, follow…' },
  'send-again': { label: 'Send again…' },
};

type MenuEntry = keyof typeof ENTRIES;

interface RowControls {
  buttons: readonly MenuEntry[];
  menu: readonly MenuEntry[];
}

/** Each has its place whatever becomes of the incident, since people press it without reading. */
function controlsOf({ state, acknowledged, verdict, kind, failures }: IncidentNow, mute: ShownMute): RowControls {
  const hasFailures = kind === 'failures';
  const isResolved = state.is === 'resolved';
  const isSentAgain = hasFailures && failures > 0 && state.is !== 'firing' && !isNotAFailure(verdict);
  const end = isResolved ? state.actor !== null && 'reopened' : 'resolved';
  return {
    buttons: present<MenuEntry>([
      isResolved ? 'timeline' : acknowledged === null ? 'acknowledged' : 'unacknowledged',
      !isResolved && 'assigned',
      isSentAgain && 'send-again',
    ]),
    menu: present<MenuEntry>([mute ? 'unmuted' : 'muted', 'on-call', 'noted', hasFailures && 'affected', end]),
  };
}

export const ACT = 'row.act';

/** The message that a row stands in, and the incident's mute there. */
export interface RowPlace {
  messageId: string | null;
  mute: ShownMute;
}

const NO_PLACE: RowPlace = { messageId: null, mute: null };

/** The block's ID names the incident once for all its buttons, since ten rows share a message's size limit. */
export function incidentActions(incident: IncidentNow, place: RowPlace = NO_PLACE): ActionsBlock {
  const { environment } = incident;
  const { eventId: id, transactionId } = incident.example;
  const example = { environment, target: targetOf({ id, transactionId }) };
  const { buttons, menu } = controlsOf(incident, place.mute);
  return {
    type: 'actions',
    block_id: writeActionTarget({ messageId: place.messageId, ...refOf(incident) }),
    elements: [
      ...buttons.map((act) => button(ENTRIES[act].label, `${ACT}:${act}`, act)),
      // An example that was re-checked as fine, or is past retention, is empty.
      ...(transactionId === '' ? [] : [lookUpButton(example, 'Example')]),
      overflow(menu),
    ].filter(isSendable),
  };
}

/** The buttons below the line that says that it ended. */
export function endedActions(incident: IncidentNow): ActionsBlock {
  const { buttons } = controlsOf(incident, NO_PLACE.mute);
  return buttonsFor(
    incident,
    buttons.filter((act) => act === 'timeline' || act === 'send-again'),
  );
}

export const followActions = (incident: IncidentNow): ActionsBlock => buttonsFor(incident, ['followed']);

function buttonsFor(incident: IncidentNow, acts: readonly MenuEntry[]): ActionsBlock {
  return {
    type: 'actions',
    block_id: writeActionTarget({ messageId: null, ...refOf(incident) }),
    elements: acts.map((act) => button(ENTRIES[act].label, `${ACT}:${act}`, act)),
  };
}

/** A menu has no room for all of them; a whole row does. */
export function withMenu(row: SectionBlock, incident: IncidentNow, place: RowPlace = NO_PLACE): SectionBlock {
  const blockId = writeActionTarget({ messageId: place.messageId, ...refOf(incident) });
  const { buttons, menu } = controlsOf(incident, place.mute);
  const entries = [...buttons, ...menu.filter((act) => act !== 'noted')].slice(0, MOST_ENTRIES);
  return { ...row, block_id: blockId, accessory: overflow(entries) };
}

/** Slack's limit. */
const MOST_ENTRIES = 5;

function overflow(entries: readonly MenuEntry[]): Overflow {
  const options = present(entries.map((act) => option(ENTRIES[act].label, act)));
  return { type: 'overflow', action_id: ACT, options };
}

export function writeActionTarget({ messageId, ...ref }: ActionTarget): string {
  return writeValue([messageId ?? '', writeIncidentRef(ref)]);
}

export const parseActionTarget = valueParser(
  z.tuple([z.string(), IncidentText]).transform(([messageId, ref]) => ({ messageId: messageId || null, ...ref })),
);

const isEntry = (name: string): name is MenuEntry => Object.hasOwn(ENTRIES, name);

export interface ChosenEntry {
  act: MenuEntry;
  target: ActionTarget;
}

export function parseAct(act: string, blockId: string): ChosenEntry | null {
  const target = parseActionTarget(blockId);
  return target !== null && isEntry(act) ? { act, target } : null;
}
