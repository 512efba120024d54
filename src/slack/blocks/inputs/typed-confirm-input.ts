import type { InputBlock } from '@slack/types';
import type { Environment } from '../../../domain/environment.ts';
import type { FilledForm, FormErrors } from './filled-form.ts';
import { type TextInput, textInput } from './inputs.ts';

const CONFIRM = 'form.typed-confirm';

export function typedConfirmInput({ label }: Environment, field: Partial<TextInput> = {}): InputBlock {
  return textInput({
    blockId: CONFIRM,
    label: `Type ${label} to confirm`,
    hint: `${label} is a protected environment.`,
    placeholder: label,
    ...field,
  });
}

/** By block. Empty if it's correct or not required. */
export function confirmErrors(
  { name, label, isProtected }: Environment,
  valueIn: FilledForm['valueIn'],
  blockId = CONFIRM,
): FormErrors {
  const typed = (valueIn(blockId) ?? '').trim().toLowerCase();
  if (!isProtected || typed === label.toLowerCase() || typed === name.toLowerCase()) return {};
  return { [blockId]: `This is not ${label}. Type it exactly as in the label.` };
}
