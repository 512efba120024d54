import { InputError } from '../domain/errors.ts';
import { canBeInPath } from '../domain/text/bounded-id.ts';

type Value = string | number | boolean | Date | readonly string[] | undefined;

/**
 * A path of the contract with ids from outside in it, encoded: path`/v1/notifications/${id}`. Throws `InputError` for what no path
 * segment can hold: nothing at all, a step to another path (which URLs resolve even when encoded), half a surrogate pair.
 */
export function path(literals: TemplateStringsArray, ...ids: readonly string[]): string {
  return literals.map((literal, index) => literal + segment(ids[index])).join('');
}

/** `?name=value`, a list repeated by its name, dates in ISO 8601; nothing for what is undefined or an empty list. */
export function queryString(parameters: { readonly [name: string]: Value }): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) search.append(name, one instanceof Date ? one.toISOString() : String(one));
    }
  }
  return search.size === 0 ? '' : `?${search}`;
}

function segment(id: string | undefined): string {
  if (id === undefined) return '';
  if (!canBeInPath(id)) throw new InputError('id', 'This is not an id.');
  return encodeURIComponent(id);
}
