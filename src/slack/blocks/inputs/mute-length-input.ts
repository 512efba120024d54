import type { InputBlock } from '@slack/types';
import { MUTE_LENGTHS, type MuteLength } from '../../../watches/mute-words.ts';
import { radioInput } from './inputs.ts';

const LABELS: { readonly [Length in Exclude<MuteLength, 'morning'>]: string } = {
  '30m': '30 minutes',
  '1h': 'An hour',
  '4h': '4 hours',
  '1d': 'A day',
  '1w': 'A week',
};

/** Always with an end. `morning` words the person's next 09:00. */
export function muteLengthInput(blockId: string, morning: string): InputBlock {
  const field = { blockId, label: 'For how long', hint: "You'll get what you missed at the end." };
  const labels = { ...LABELS, morning };
  const lengths = Object.keys(MUTE_LENGTHS).map((value) => ({ value, label: labels[value as MuteLength] }));
  return radioInput(field, lengths, '1h');
}
