import type { ModalView } from '@slack/types';
import type { ActedOn } from '../../domain/acting.ts';
import { section } from '../blocks/blocks.ts';
import { writeSubject } from '../blocks/group-menu.ts';
import { groupCause, groupTitle } from '../blocks/group-words.ts';
import { stateLines } from '../blocks/state-words.ts';
import { joined, mrkdwn } from '../blocks/text.ts';
import { formView } from '../blocks/view.ts';
import type { MuteForm } from './mute-modal.ts';

export const TAKE_BACK_FORM = 'group.take-back';
export const TAKE_BACK_TITLE = 'Unacknowledge';

/** Asks before somebody else's acknowledgment is taken back. Its metadata is that of a mute. */
export function takeBackView({ episode }: ActedOn, form: MuteForm): ModalView {
  const { tally } = episode;
  return formView({
    callbackId: TAKE_BACK_FORM,
    title: TAKE_BACK_TITLE,
    submit: 'Unacknowledge',
    privateMetadata: JSON.stringify({ subject: writeSubject(form.subject), answerUrl: form.answerUrl }),
    blocks: [
      section(joined([groupTitle(tally), groupCause(tally), ...stateLines(episode, true)], '\n')),
      section(
        mrkdwn`Take this acknowledgment back? Messages about the incident mention people again, and the person who acknowledged it gets a direct message.`,
      ),
    ],
  });
}
