import type { ModalView } from '@slack/types';
import { type MuteLength, parseMuteLength } from '../../domain/watches/mute-lengths.ts';
import type { FilledForm } from '../blocks/inputs/filled-form.ts';
import { muteLengthInput } from '../blocks/inputs/mute-length-input.ts';
import { formView } from '../blocks/view.ts';

export const MUTE_FORM = 'watch.mute-form';
const LENGTH = 'watch.mute-length';

/** Builds the form that asks how long to mute a watch. */
export function muteView(watchId: string): ModalView {
  return formView({
    callbackId: MUTE_FORM,
    title: 'Mute this watch',
    submit: 'Mute',
    privateMetadata: watchId,
    blocks: [muteLengthInput(LENGTH, 'Until 09:00, your time')],
  });
}

/** Parses the chosen length. Null for one that this version doesn't know. */
export function parseMuteForm(filled: Pick<FilledForm, 'valueIn'>): MuteLength | null {
  return parseMuteLength(filled.valueIn(LENGTH));
}
