import type { ModalView } from '@slack/types';
import type { TargetNow } from '../../domain/incidents/incident-actions.ts';
import { section } from '../blocks/blocks.ts';
import { stateLines } from '../blocks/incident/state-words.ts';
import { mrkdwn, person } from '../blocks/text.ts';
import { type IncidentForm, incidentFormView } from './incident-form-modal.ts';

export const UNACKNOWLEDGE_FORM = 'group.unacknowledge';
export const UNACKNOWLEDGE_TITLE = 'Unacknowledge';

/** Asks for confirmation before someone else's acknowledgment is removed, that of `by`. */
export function unacknowledgeView(on: TargetNow, form: IncidentForm, by: string): ModalView {
  return incidentFormView(
    on,
    { ...form, acknowledgedBy: by },
    {
      callbackId: UNACKNOWLEDGE_FORM,
      title: UNACKNOWLEDGE_TITLE,
      submit: 'Unacknowledge',
      lines: stateLines(on.episode, true),
      blocks: [
        section(
          mrkdwn`Unacknowledge for ${person(by)}? Messages about the incident will mention people again, and ${person(by)} gets a direct message.`,
        ),
      ],
    },
  );
}
