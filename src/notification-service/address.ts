import { InputError } from '../domain/errors.ts';
import { canBeInPath } from '../domain/text/bounded-id.ts';

type Value = string | number | boolean | Date | readonly string[] | undefined;

/**
 * Builds a path of the contract with encoded external IDs: path`/v1/notifications/${id}`. Throws `InputError` for an ID that no path
 * segment can hold: an empty one, `.` or `..` (which URLs resolve even when encoded), half a surrogate pair.
 */
export function path(literals: TemplateStringsArray, ...ids: readonly string[]): string {
  return literals.map((literal, index) => literal + segment(ids[index])).join('');
}

/** Builds `?name=value`: a list repeats its name, dates are in ISO 8601, undefined values and empty lists are left out. */
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
  if (!canBeInPath(id)) throw new InputError('id', "This isn't an ID.");
  return encodeURIComponent(id);
}
