import type { ModalView } from '@slack/types';
import type { ActedOn } from '../../domain/acting.ts';
import { context, section } from '../blocks/blocks.ts';
import { personInput } from '../blocks/choice-inputs.ts';
import { writeSubject } from '../blocks/group-menu.ts';
import { groupCause, groupTitle } from '../blocks/group-words.ts';
import { joined, mrkdwn } from '../blocks/text.ts';
import { formView } from '../blocks/view.ts';
import type { MuteForm } from './mute-modal.ts';

export const ASSIGN_FORM = 'group.assign';
export const ASSIGN_TITLE = 'Assign';
const ASSIGNEE = 'group.assignee';

/** The form for assigning an incident: to the one who has it already, else to the one who asks. Its metadata is that of a mute. */
export function assignView({ episode: { tally, assigned } }: ActedOn, form: MuteForm, asker: string): ModalView {
  return formView({
    callbackId: ASSIGN_FORM,
    title: ASSIGN_TITLE,
    submit: 'Assign',
    privateMetadata: JSON.stringify({ subject: writeSubject(form.subject), answerUrl: form.answerUrl }),
    blocks: [
      section(joined([groupTitle(tally), groupCause(tally)], '\n')),
      personInput({ blockId: ASSIGNEE, label: 'Assign to' }, assigned?.to ?? asker),
      context(mrkdwn`They get a direct message, and the incident's rows show who has it.`),
    ],
  });
}

/** Somebody's user id; null where nobody was chosen. */
export function readAssignee(valueIn: (blockId: string) => string | null): string | null {
  return valueIn(ASSIGNEE);
}
