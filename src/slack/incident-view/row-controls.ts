import type { ActionsBlock, Overflow, SectionBlock } from '@slack/types';
import { z } from 'zod';
import type { ActionTarget } from '../../incidents/actions.ts';
import { type IncidentNow, refOf } from '../../incidents/incident.ts';
import { writeIncidentRef } from '../../incidents/incident-ref.ts';
import { isNotAFailure } from '../../judging/verdict.ts';
import { targetOf } from '../../lookups/event.ts';
import { button, isSendable, option } from '../kit/blocks.ts';
import { IncidentText, valueParser, writeValue } from '../kit/button-values.ts';
import { lookUpButton } from '../kit/buttons.ts';
import { present } from '../kit/text.ts';
import type { ShownMute } from './incident-words.ts';
import { VERBS } from './verbs.ts';

/** The ID of a row's actions, before a colon and the entry. */
export const ACT = 'row.act';

/** Slack's limit for a menu. */
const MOST_ENTRIES = 5;

/** What a row's buttons and its menu offer. */
const ENTRIES = {
  ...VERBS,
  events: { label: 'View events' },
  affected: { label: 'View affected' },
  timeline: { label: 'Timeline' },
  'on-call': { label: 'On call, follow…' },
  'send-again': { label: 'Send again…' },
};

type Entry = keyof typeof ENTRIES;

/** The message that a row stands in, and the incident's mute there. */
export interface RowPlace {
  /** Null outside of a watch's messages. */
  messageId: string | null;
  mute: ShownMute;
}

const NO_PLACE: RowPlace = { messageId: null, mute: null };

export interface ChosenEntry {
  act: Entry;
  target: ActionTarget;
}

interface RowControls {
  buttons: readonly Entry[];
  menu: readonly Entry[];
}

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

/** The buttons below the line that says that the incident ended. */
export function endedActions(incident: IncidentNow): ActionsBlock {
  const { buttons } = controlsOf(incident, NO_PLACE.mute);
  return buttonsFor(
    incident,
    buttons.filter((act) => act === 'timeline' || act === 'send-again'),
  );
}

export const followActions = (incident: IncidentNow): ActionsBlock => buttonsFor(incident, ['followed']);

function buttonsFor(incident: IncidentNow, acts: readonly Entry[]): ActionsBlock {
  return {
    type: 'actions',
    block_id: writeActionTarget({ messageId: null, ...refOf(incident) }),
    elements: acts.map((act) => button(ENTRIES[act].label, `${ACT}:${act}`, act)),
  };
}

/** A row with a menu alone. Of its entries, Slack's limit leaves out the last ones, and [Add a note…] first. */
export function withMenu(row: SectionBlock, incident: IncidentNow, place: RowPlace = NO_PLACE): SectionBlock {
  const blockId = writeActionTarget({ messageId: place.messageId, ...refOf(incident) });
  const { buttons, menu } = controlsOf(incident, place.mute);
  const entries = [...buttons, ...menu.filter((act) => act !== 'noted')].slice(0, MOST_ENTRIES);
  return { ...row, block_id: blockId, accessory: overflow(entries) };
}

/** An entry has the same place in all states of the incident, since people press it without reading. */
function controlsOf({ state, acknowledged, verdict, kind, failures }: IncidentNow, mute: ShownMute): RowControls {
  const hasFailures = kind === 'failures';
  const isResolved = state.is === 'resolved';
  const canBeSentAgain = hasFailures && failures > 0 && state.is !== 'firing' && !isNotAFailure(verdict);
  const acknowledge = acknowledged === null ? 'acknowledged' : 'unacknowledged';
  // What ended by itself can't be reopened.
  const end = isResolved ? state.actor !== null && 'reopened' : 'resolved';
  return {
    buttons: present<Entry>([
      isResolved ? 'timeline' : acknowledge,
      !isResolved && 'assigned',
      canBeSentAgain && 'send-again',
    ]),
    menu: present<Entry>([mute ? 'unmuted' : 'muted', 'on-call', 'noted', hasFailures && 'affected', end]),
  };
}

function overflow(entries: readonly Entry[]): Overflow {
  const options = present(entries.map((act) => option(ENTRIES[act].label, act)));
  return { type: 'overflow', action_id: ACT, options };
}

/** The ID of a block of actions: what they are about. */
export function writeActionTarget({ messageId, ...ref }: ActionTarget): string {
  return writeValue([messageId ?? '', writeIncidentRef(ref)]);
}

export const parseActionTarget: (blockId: string) => ActionTarget | null = valueParser(
  z.tuple([z.string(), IncidentText]).transform(([messageId, ref]) => ({ messageId: messageId || null, ...ref })),
);

const isEntry = (name: string): name is Entry => Object.hasOwn(ENTRIES, name);

export function parseAct(act: string, blockId: string): ChosenEntry | null {
  const target = parseActionTarget(blockId);
  return target !== null && isEntry(act) ? { act, target } : null;
}
