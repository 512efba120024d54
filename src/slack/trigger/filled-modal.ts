import { InputError, withExample } from '../../domain/errors.ts';

/** What is filled in so far. */
export interface Filled {
  readonly blockIds: readonly string[];
  valueIn(blockId: string): string | null;
  valuesIn(blockId: string): readonly string[];
}

/** What is wrong with a form, by block. */
export type FormErrors = { readonly [blockId: string]: string };

/** The block whose id has this beginning; what follows it tells what the field was drawn for. */
export function blockOf(beginning: string, { blockIds }: Filled): string {
  return blockIds.find((blockId) => blockId.startsWith(`${beginning}:`)) ?? beginning;
}

/** What a field holds, read; what is wrong with it goes to `errors` and gives `instead`. */
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
