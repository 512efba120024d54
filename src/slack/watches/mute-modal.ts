import type { ModalView } from '@slack/types';
import { type MuteLength, parseMuteLength } from '../../domain/watches/mute-lengths.ts';
import { muteLengthInput } from '../blocks/inputs/mute-length-input.ts';
import { formView } from '../blocks/view.ts';
import type { FilledForm } from './modal.ts';

export const MUTE_FORM = 'watch.mute-form';
const LENGTH = 'watch.mute-length';

/** For how long a watch is to be muted. */
export function muteView(watchId: string): ModalView {
  return formView({
    callbackId: MUTE_FORM,
    title: 'Mute this watch',
    submit: 'Mute',
    privateMetadata: watchId,
    blocks: [muteLengthInput(LENGTH, 'Until 09:00, your time')],
  });
}

/** The chosen length; null for one that this version does not know. */
export function parseMuteForm(filled: Pick<FilledForm, 'valueIn'>): MuteLength | null {
  return parseMuteLength(filled.valueIn(LENGTH));
}
