import type { ModalView } from '@slack/types';
import type { ActedOn } from '../../domain/incidents/incident-actions.ts';
import { section } from '../blocks/blocks.ts';
import { stateLines } from '../blocks/incident/state-words.ts';
import { mrkdwn } from '../blocks/text.ts';
import { type GroupForm, groupFormView } from './group-form-modal.ts';

export const TAKE_BACK_FORM = 'group.take-back';
export const TAKE_BACK_TITLE = 'Unacknowledge';

/** Asks before somebody else's acknowledgment is taken back. */
export function takeBackView(on: ActedOn, form: GroupForm): ModalView {
  return groupFormView(on, form, {
    callbackId: TAKE_BACK_FORM,
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
