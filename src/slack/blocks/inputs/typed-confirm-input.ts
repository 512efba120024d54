import type { InputBlock } from '@slack/types';
import type { Environment } from '../../../domain/environment.ts';
import type { FormErrors } from './filled-form.ts';
import { textInput } from './inputs.ts';

/** Builds a field for a protected environment in which its name must be typed. Empty for others. */
export function typedConfirmInput(environment: Environment): InputBlock[] {
  if (!environment.isProtected) return [];
  const { label } = environment;
  return [
    textInput({
      blockId: blockIdOf(environment),
      label: `Type ${label} to confirm`,
      hint: `${label} is a protected environment.`,
      placeholder: label,
    }),
  ];
}

/** Returns what is wrong with the confirmation, by block. Empty if it's correct or not required. */
export function confirmErrors(environment: Environment, valueIn: (blockId: string) => string | null): FormErrors {
  const { name, label, isProtected } = environment;
  const typed = (valueIn(blockIdOf(environment)) ?? '').trim().toLowerCase();
  if (!isProtected || typed === label.toLowerCase() || typed === name.toLowerCase()) return {};
  return { [blockIdOf(environment)]: `This is not ${label}. Type it exactly as in the label.` };
}

const CONFIRM = 'form.typed-confirm';

function blockIdOf({ name }: Environment): string {
  return `${CONFIRM}:${name}`;
}
