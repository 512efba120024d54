import type { ModalView } from '@slack/types';
import { MUTE_LENGTHS, type MuteLength, readMuteLength } from '../../domain/mute-lengths.ts';
import { radioInput } from '../blocks/choice-inputs.ts';
import { formView } from '../blocks/view.ts';
import type { FilledForm } from './modal.ts';

export const MUTE_FORM = 'watch.mute-form';
const LENGTH = 'watch.mute-length';

const LABELS: { readonly [Length in MuteLength]: string } = {
  '30m': '30 minutes',
  '1h': 'an hour',
  '4h': '4 hours',
  morning: 'until 09:00',
  '1d': 'a day',
  '1w': 'a week',
};

/** For how long a watch is to be muted: always with an end. */
export function muteView(watchId: string): ModalView {
  const lengths = MUTE_LENGTHS.map((value) => ({ label: LABELS[value], value }));
  return formView({
    callbackId: MUTE_FORM,
    title: 'Mute this watch',
    submit: 'Mute',
    privateMetadata: watchId,
    blocks: [
      radioInput({ blockId: LENGTH, label: 'For how long', hint: 'What is missed is told at the end.' }, lengths, '1h'),
    ],
  });
}

/** The chosen length; null for one that this version does not know. */
export function readMuteForm(filled: Pick<FilledForm, 'valueIn'>): MuteLength | null {
  return readMuteLength(filled.valueIn(LENGTH));
}
