import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { ActionTarget } from '../../../incidents/actions.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { LONGEST_NOTE, noteOf } from '../../../lib/input/typed-values.ts';
import { endOfMute, MUTE_LENGTHS, type MuteEnd, parseMuteLength } from '../../../watches/mute-words.ts';
import { context, section } from '../../kit/blocks.ts';
import { parseActionTarget, writeActionTarget } from '../../kit/incident/incident-menu.ts';
import { factsLine, incidentHeading, peopleLine } from '../../kit/incident/incident-words.ts';
import { muteLengthInput, personInput, textInput } from '../../kit/inputs.ts';
import { joined, type Markup, mrkdwn, person } from '../../kit/text.ts';
import { formView } from '../../kit/view.ts';

export interface IncidentForm {
  readonly target: ActionTarget;
  readonly answerUrl: string | null;
  /** Whose acknowledgment the form is about; null: none. */
  readonly acknowledgedBy: string | null;
}

interface Asking {
  readonly callbackId: string;
  readonly title: string;
  readonly submit: string;
  /** Below the incident's title and counts. */
  readonly lines?: readonly Markup[];
  readonly blocks: readonly KnownBlock[];
}

function incidentFormView(
  incident: IncidentNow,
  { target, ...form }: IncidentForm,
  { callbackId, title, submit, lines = [], blocks }: Asking,
): ModalView {
  return formView({
    ...{ callbackId, title, submit },
    privateMetadata: JSON.stringify({ target: writeActionTarget(target), ...form }),
    blocks: [section(joined([incidentHeading(incident), factsLine(incident), ...lines], '\n')), ...blocks],
  });
}

const Metadata = z.object({
  target: z.string(),
  answerUrl: z.string().nullable(),
  acknowledgedBy: z.string().nullable(),
});

/** Null unless it's of this version. */
export function parseIncidentForm(privateMetadata: string): IncidentForm | null {
  const { target, ...form } = Metadata.parse(JSON.parse(privateMetadata));
  const read = parseActionTarget(target);
  return read === null ? null : { target: read, ...form };
}

export const MUTE_FORM = 'incident.mute';
export const MUTE_TITLE = 'Mute';
const LENGTH = 'incident.mute-length';

/** `timeZone` is that of the person who sees it. */
export function muteView(
  on: IncidentNow,
  form: IncidentForm,
  { timeZone, now }: { readonly timeZone: string; readonly now: Date },
): ModalView {
  return incidentFormView(on, form, {
    callbackId: MUTE_FORM,
    title: MUTE_TITLE,
    submit: 'Mute',
    blocks: [
      muteLengthInput(LENGTH, morningWords(timeZone, now)),
      context(mrkdwn`It's muted in this watch only: other watches keep alerting.`),
    ],
  });
}

/** An option is plain text, in which Slack can't localize times. */
function morningWords(timeZone: string, now: Date): string {
  const morning = endOfMute(MUTE_LENGTHS.morning, timeZone, now);
  const day = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone }).format(morning);
  return `Until ${day} 09:00 (${timeZone})`;
}

export function parseLength(valueIn: (blockId: string) => string | null): MuteEnd | null {
  return parseMuteLength(valueIn(LENGTH));
}

export const ASSIGN_FORM = 'incident.assign';
export const ASSIGN_TITLE = 'Assign';
const ASSIGNEE = 'incident.assignee';

export function assignView(on: IncidentNow, form: IncidentForm, asker: string): ModalView {
  return incidentFormView(on, form, {
    callbackId: ASSIGN_FORM,
    title: ASSIGN_TITLE,
    submit: 'Assign',
    blocks: [
      personInput({ blockId: ASSIGNEE, label: 'Assign to' }, on.assigned?.to ?? asker),
      context(mrkdwn`They get a direct message, and the incident's rows show who has it.`),
    ],
  });
}

export function parseAssignee(valueIn: (blockId: string) => string | null): string | null {
  return valueIn(ASSIGNEE);
}

export const UNACKNOWLEDGE_FORM = 'incident.unacknowledge';
export const UNACKNOWLEDGE_TITLE = 'Unacknowledge';

/** `by`: whose acknowledgment is removed. */
export function unacknowledgeView(on: IncidentNow, form: IncidentForm, by: string): ModalView {
  return incidentFormView(
    on,
    { ...form, acknowledgedBy: by },
    {
      callbackId: UNACKNOWLEDGE_FORM,
      title: UNACKNOWLEDGE_TITLE,
      submit: 'Unacknowledge',
      lines: peopleLine(on, true),
      blocks: [
        section(
          mrkdwn`Unacknowledge for ${person(by)}? Messages about the incident will mention people again, and ${person(by)} gets a direct message.`,
        ),
      ],
    },
  );
}

export const NOTE_FORM = 'incident.note';
export const NOTE_TITLE = 'Add a note';
export const NOTE_FIELD = 'incident.note-text';

export function noteView(on: IncidentNow, form: IncidentForm): ModalView {
  return incidentFormView(on, form, {
    callbackId: NOTE_FORM,
    title: NOTE_TITLE,
    submit: 'Add',
    blocks: [
      textInput({
        blockId: NOTE_FIELD,
        label: 'Note',
        placeholder: 'What it was, and what helped',
        hint: 'Everyone who sees this incident sees the note, with your name, and sees it again when the same cause comes back. Secrets and contacts are masked.',
        longest: LONGEST_NOTE,
        isFocused: true,
      }),
    ],
  });
}

export function parseNote(typed: string): { readonly text: string } | { readonly wrong: string } {
  const note = noteOf(typed);
  switch (note.is) {
    case 'text':
      return { text: note.text };
    case 'empty':
      return { wrong: 'There is no text in this note.' };
    case 'too long':
      return { wrong: `A note takes ${LONGEST_NOTE} characters at most.` };
  }
}
