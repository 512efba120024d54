import { InputError, withExample } from '../../../domain/errors.ts';
import type { FilledForm } from './filled-form.ts';

/** Adds an error to `errors` and then returns `instead`. */
export function parseField<T>(
  blockId: string,
  filled: FilledForm,
  { read, instead, errors }: { read: (text: string) => T; instead: T; errors: Record<string, string> },
): T {
  try {
    return read(filled.valueIn(blockId) ?? '');
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    errors[blockId] = withExample(error);
    return instead;
  }
}
