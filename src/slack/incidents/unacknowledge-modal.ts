import type { ModalView } from '@slack/types';
import type { TargetNow } from '../../domain/incidents/incident-actions.ts';
import { section } from '../blocks/blocks.ts';
import { stateLines } from '../blocks/incident/state-words.ts';
import { mrkdwn } from '../blocks/text.ts';
import { type GroupForm, groupFormView } from './group-form-modal.ts';

export const UNACKNOWLEDGE_FORM = 'group.unacknowledge';
export const TAKE_BACK_TITLE = 'Unacknowledge';

/** Asks for confirmation before someone else's acknowledgment is removed. */
export function unacknowledgeView(on: TargetNow, form: GroupForm): ModalView {
  return groupFormView(on, form, {
    callbackId: UNACKNOWLEDGE_FORM,
    title: TAKE_BACK_TITLE,
    submit: 'Unacknowledge',
    lines: stateLines(on.episode, true),
    blocks: [
      section(
        mrkdwn`Take this acknowledgment back? Messages about the incident mention people again, and the person who acknowledged it gets a direct message.`,
      ),
    ],
  });
}
