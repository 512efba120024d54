import type { ActionsBlock, Overflow, SectionBlock } from '@slack/types';
import { z } from 'zod';
import { type IncidentNow, refOf } from '../../incidents/incident.ts';
import { writeIncidentRef } from '../../incidents/incident-ref.ts';
import type { VerbTarget } from '../../incidents/verbs.ts';
import { isNotAFailure } from '../../judging/verdict.ts';
import { targetOf } from '../../lookups/event.ts';
import { button, isSendable, option } from '../kit/blocks.ts';
import { IncidentText, valueParser, writeValue } from '../kit/button-values.ts';
import { lookUpButton } from '../kit/buttons.ts';
import { present } from '../kit/text.ts';
import type { ShownMute } from './incident-words.ts';
import { VERB_WORDS } from './verb-words.ts';

/** Slack's ID of what is pressed in a row, before a colon and the entry. */
export const ROW_ACTION = 'row.act';

/** Slack's limit for a menu. */
const MOST_ENTRIES = 5;

/** What a row's buttons and its menu offer. */
const ENTRIES = {
  ...VERB_WORDS,
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
  entry: Entry;
  target: VerbTarget;
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
    block_id: writeRowTarget({ messageId: place.messageId, ...refOf(incident) }),
    elements: [
      ...buttons.map((entry) => button(ENTRIES[entry].label, `${ROW_ACTION}:${entry}`, entry)),
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
    buttons.filter((entry) => entry === 'timeline' || entry === 'send-again'),
  );
}

export const followActions = (incident: IncidentNow): ActionsBlock => buttonsFor(incident, ['followed']);

function buttonsFor(incident: IncidentNow, entries: readonly Entry[]): ActionsBlock {
  return {
    type: 'actions',
    block_id: writeRowTarget({ messageId: null, ...refOf(incident) }),
    elements: entries.map((entry) => button(ENTRIES[entry].label, `${ROW_ACTION}:${entry}`, entry)),
  };
}

/** A row with a menu alone. Of its entries, Slack's limit leaves out the last ones, and [Add a note…] first. */
export function withMenu(row: SectionBlock, incident: IncidentNow, place: RowPlace = NO_PLACE): SectionBlock {
  const blockId = writeRowTarget({ messageId: place.messageId, ...refOf(incident) });
  const { buttons, menu } = controlsOf(incident, place.mute);
  const entries = [...buttons, ...menu.filter((entry) => entry !== 'noted')].slice(0, MOST_ENTRIES);
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
  const options = present(entries.map((entry) => option(ENTRIES[entry].label, entry)));
  return { type: 'overflow', action_id: ROW_ACTION, options };
}

/** The ID of a row's block says what its buttons are about. */
export function writeRowTarget({ messageId, ...ref }: VerbTarget): string {
  return writeValue([messageId ?? '', writeIncidentRef(ref)]);
}

export const parseRowTarget: (blockId: string) => VerbTarget | null = valueParser(
  z.tuple([z.string(), IncidentText]).transform(([messageId, ref]) => ({ messageId: messageId || null, ...ref })),
);

const isEntry = (name: string): name is Entry => Object.hasOwn(ENTRIES, name);

export function parseChosenEntry(entry: string, blockId: string): ChosenEntry | null {
  const target = parseRowTarget(blockId);
  return target !== null && isEntry(entry) ? { entry, target } : null;
}
