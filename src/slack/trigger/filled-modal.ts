import { InputError, withExample } from '../../domain/errors.ts';
import type { FilledForm } from '../blocks/inputs/filled-form.ts';

/** Returns the ID of the block with this prefix. The rest of the ID says for what the field was drawn. */
export function blockOf(beginning: string, { blockIds }: FilledForm): string {
  return blockIds.find((blockId) => blockId.startsWith(`${beginning}:`)) ?? beginning;
}

/** Parses a field. Adds an error to `errors` and then returns `instead`. */
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
