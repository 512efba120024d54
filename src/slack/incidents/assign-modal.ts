import type { ModalView } from '@slack/types';
import type { TargetNow } from '../../domain/incidents/incident-actions.ts';
import { context } from '../blocks/blocks.ts';
import { personInput } from '../blocks/inputs/choice-inputs.ts';
import { mrkdwn } from '../blocks/text.ts';
import { type IncidentForm, incidentFormView } from './incident-form-modal.ts';

export const ASSIGN_FORM = 'group.assign';
export const ASSIGN_TITLE = 'Assign';
const ASSIGNEE = 'group.assignee';

/** Builds the form for assigning an incident, preset to its current assignee, or else to the person who asks. */
export function assignView(on: TargetNow, form: IncidentForm, asker: string): ModalView {
  return incidentFormView(on, form, {
    callbackId: ASSIGN_FORM,
    title: ASSIGN_TITLE,
    submit: 'Assign',
    blocks: [
      personInput({ blockId: ASSIGNEE, label: 'Assign to' }, on.episode.assigned?.to ?? asker),
      context(mrkdwn`They get a direct message, and the incident's rows show who has it.`),
    ],
  });
}

/** Returns the chosen user's ID. Null if nobody was chosen. */
export function parseAssignee(valueIn: (blockId: string) => string | null): string | null {
  return valueIn(ASSIGNEE);
}
