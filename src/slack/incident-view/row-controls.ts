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

/** Slack's ID of what is pressed in a row, before a colon and the control's name. */
export const ROW_ACTION = 'row.act';

/** Slack's limit for a menu. */
const MOST_IN_MENU = 5;

/** What a row's buttons and its menu offer. */
const CONTROLS = {
  ...VERB_WORDS,
  events: { label: 'View events' },
  affected: { label: 'View affected' },
  timeline: { label: 'Timeline' },
  'on-call': { label: 'On call, follow…' },
  'send-again': { label: 'Send again…' },
};

type Control = keyof typeof CONTROLS;

/** The message that a row stands in, and the incident's mute there. */
export interface RowPlace {
  /** Null outside of a watch's messages. */
  messageId: string | null;
  mute: ShownMute;
}

const NO_PLACE: RowPlace = { messageId: null, mute: null };

export interface ChosenControl {
  control: Control;
  target: VerbTarget;
}

interface RowControls {
  buttons: readonly Control[];
  menu: readonly Control[];
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
      ...buttons.map((control) => button(CONTROLS[control].label, `${ROW_ACTION}:${control}`, control)),
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
    buttons.filter((control) => control === 'timeline' || control === 'send-again'),
  );
}

export const followActions = (incident: IncidentNow): ActionsBlock => buttonsFor(incident, ['followed']);

function buttonsFor(incident: IncidentNow, controls: readonly Control[]): ActionsBlock {
  return {
    type: 'actions',
    block_id: writeRowTarget({ messageId: null, ...refOf(incident) }),
    elements: controls.map((control) => button(CONTROLS[control].label, `${ROW_ACTION}:${control}`, control)),
  };
}

/** A row with a menu alone. Of its controls, Slack's limit leaves out the last ones, and [Add a note…] first. */
export function withMenu(row: SectionBlock, incident: IncidentNow, place: RowPlace = NO_PLACE): SectionBlock {
  const blockId = writeRowTarget({ messageId: place.messageId, ...refOf(incident) });
  const { buttons, menu } = controlsOf(incident, place.mute);
  const controls = [...buttons, ...menu.filter((control) => control !== 'noted')].slice(0, MOST_IN_MENU);
  return { ...row, block_id: blockId, accessory: overflow(controls) };
}

/** A control has the same place in all states of the incident, since people press it without reading. */
function controlsOf({ state, acknowledged, verdict, kind, failures }: IncidentNow, mute: ShownMute): RowControls {
  const hasFailures = kind === 'failures';
  const isResolved = state.is === 'resolved';
  const canBeSentAgain = hasFailures && failures > 0 && state.is !== 'firing' && !isNotAFailure(verdict);
  const acknowledge = acknowledged === null ? 'acknowledged' : 'unacknowledged';
  // What ended by itself can't be reopened.
  const end = isResolved ? state.actor !== null && 'reopened' : 'resolved';
  return {
    buttons: present<Control>([
      isResolved ? 'timeline' : acknowledge,
      !isResolved && 'assigned',
      canBeSentAgain && 'send-again',
    ]),
    menu: present<Control>([mute ? 'unmuted' : 'muted', 'on-call', 'noted', hasFailures && 'affected', end]),
  };
}

function overflow(controls: readonly Control[]): Overflow {
  const options = present(controls.map((control) => option(CONTROLS[control].label, control)));
  return { type: 'overflow', action_id: ROW_ACTION, options };
}

/** The ID of a row's block says what its buttons are about. */
export function writeRowTarget({ messageId, ...ref }: VerbTarget): string {
  return writeValue([messageId ?? '', writeIncidentRef(ref)]);
}

export const parseRowTarget: (blockId: string) => VerbTarget | null = valueParser(
  z.tuple([z.string(), IncidentText]).transform(([messageId, ref]) => ({ messageId: messageId || null, ...ref })),
);

const isControl = (name: string): name is Control => Object.hasOwn(CONTROLS, name);

export function parseChosenControl(control: string, blockId: string): ChosenControl | null {
  const target = parseRowTarget(blockId);
  return target !== null && isControl(control) ? { control, target } : null;
}
