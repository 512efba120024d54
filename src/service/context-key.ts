import { InputError } from '../lib/errors.ts';
import { EXAMPLES } from '../lib/input/filters.ts';

const CONTEXT_KEY = /^[^:\s]+:\S/;

/** Contract, operations 4 and 5: `type:id`. Throws an `InputError` for anything else. */
export function typedContextKey(text: string): string {
  if (CONTEXT_KEY.test(text)) return text;
  throw new InputError('context', `A context is named type:id, and ${text} is not.`, EXAMPLES.context);
}
