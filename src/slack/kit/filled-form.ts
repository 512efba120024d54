import { type Environment, environmentNamed } from '../../lib/environment.ts';
import { InputError, withExample } from '../../lib/errors.ts';
import { CONFIRM, ENVIRONMENT } from './inputs.ts';

/** What a person entered, by the IDs of the form's blocks. */
export interface FilledForm {
  blockIds: readonly string[];
  valueIn(blockId: string): string | null;
  valuesIn(blockId: string): readonly string[];
}

export type FormErrors = { [blockId: string]: string };

interface FormReader {
  /** Notes an error at the field, and returns the fallback, if its text can't be read. */
  field: <T>(blockId: string, read: (text: string) => T, fallback: T) => T;
  errors: FormErrors;
  hasErrors: () => boolean;
}

export function readForm({ valueIn }: FilledForm): FormReader {
  const errors: FormErrors = {};
  const field = <T>(blockId: string, read: (text: string) => T, fallback: T): T => {
    try {
      return read(valueIn(blockId) ?? '');
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      errors[blockId] = withExample(error);
      return fallback;
    }
  };
  return { field, errors, hasErrors: () => Object.keys(errors).length > 0 };
}

export function chosenEnvironment({ valueIn }: FilledForm, environments: readonly Environment[]): Environment {
  return environmentNamed(valueIn(ENVIRONMENT) ?? undefined, environments);
}

/** Null if the environment isn't protected, or its name was typed. */
export function confirmErrors(
  { name, label, isProtected }: Environment,
  valueIn: FilledForm['valueIn'],
  blockId = CONFIRM,
): FormErrors | null {
  const typed = (valueIn(blockId) ?? '').trim().toLowerCase();
  if (!isProtected || [name, label].some((text) => text.toLowerCase() === typed)) return null;
  return { [blockId]: `Type ${label} to confirm.` };
}
