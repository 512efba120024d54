import { InputError } from './errors.ts';
import { fold } from './fold.ts';
import { nearest } from './nearest.ts';

/** Returns the typed value of a closed list, in any case, with spaces, hyphens or underscores. Throws an `InputError` for any other. */
export function oneOf<Value extends string>(
  { key, noun = key }: { readonly key: string; readonly noun?: string },
  typed: string,
  values: readonly Value[],
): Value {
  const wanted = plain(typed);
  const found = values.find((value) => plain(value) === wanted);
  if (found === undefined) throw notInList({ key, noun }, typed, values);
  return found;
}

export function notInList(
  { key, noun }: { readonly key: string; readonly noun: string },
  typed: string,
  values: readonly string[],
): InputError {
  const similar = nearest(plain(typed), values);
  const help = similar === null ? `There are: ${listed(values)}.` : `Did you mean ${similar}?`;
  return new InputError(key, `There is no ${noun} ${typed}. ${help}`, `${key}:${similar ?? values[0] ?? ''}`);
}

const MOST_LISTED = 12;

function listed(values: readonly string[]): string {
  const more = values.length - MOST_LISTED;
  return [...values.slice(0, MOST_LISTED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function plain(value: string): string {
  return fold(value.trim()).replace(/[\s_-]+/g, '-');
}
