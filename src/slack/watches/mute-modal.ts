import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { type MuteLength, parseMuteLength } from '../../domain/watches/mute-lengths.ts';
import { muteLengthInput } from '../blocks/inputs/mute-length-input.ts';
import { formView } from '../blocks/view.ts';
import type { FilledView } from '../interactions/interaction.ts';

export const MUTE_FORM = 'watch.mute-form';
const LENGTH = 'watch.mute-length';

const Metadata = z.object({ watchId: z.string(), answerUrl: z.string().nullable() });

export type MuteForm = Readonly<z.output<typeof Metadata>>;

export function muteView({ watchId, answerUrl }: MuteForm): ModalView {
  return formView({
    callbackId: MUTE_FORM,
    title: 'Mute this watch',
    submit: 'Mute',
    privateMetadata: JSON.stringify({ watchId, answerUrl }),
    blocks: [muteLengthInput(LENGTH, 'Until 09:00, your time')],
  });
}

/** Null for a length that this version doesn't know. Throws for another version's metadata. */
export function parseMuteForm({ valueIn, privateMetadata }: FilledView): (MuteForm & { length: MuteLength }) | null {
  const length = parseMuteLength(valueIn(LENGTH));
  return length && { ...Metadata.parse(JSON.parse(privateMetadata)), length };
}
