import type { ModalView } from '@slack/types';
import type { TargetNow } from '../../domain/incidents/incident-actions.ts';
import { LONGEST_NOTE, noteOf } from '../../domain/incidents/note.ts';
import { textInput } from '../blocks/inputs/inputs.ts';
import { type IncidentForm, incidentFormView } from './incident-form-modal.ts';

export const NOTE_FORM = 'group.note';
export const NOTE_TITLE = 'Add a note';
export const NOTE_FIELD = 'group.note-text';

/** Builds the form for a one-line note about an incident. */
export function noteView(on: Pick<TargetNow, 'episode'>, form: IncidentForm): ModalView {
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

/** Parses a typed note. Returns it as it will be stored, or what is wrong with it. */
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
