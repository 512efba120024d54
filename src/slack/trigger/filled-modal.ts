import { InputError, withExample } from '../../domain/errors.ts';

/** What has been filled in so far. */
export interface Filled {
  readonly blockIds: readonly string[];
  valueIn(blockId: string): string | null;
  valuesIn(blockId: string): readonly string[];
}

/** What is wrong with a form, by block. */
export type FormErrors = { readonly [blockId: string]: string };

/** Returns the ID of the block with this prefix. The rest of the ID says for what the field was drawn. */
export function blockOf(beginning: string, { blockIds }: Filled): string {
  return blockIds.find((blockId) => blockId.startsWith(`${beginning}:`)) ?? beginning;
}

/** Parses a field. Adds an error to `errors` and then returns `instead`. */
export function parseField<T>(
  blockId: string,
  filled: Filled,
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
