import { isJson } from '../../json.ts';
import type { Json } from '../../page-protocol.ts';

/** A block or an element, and the RFC 6901 pointer of its place. */
export interface Placed {
  readonly object: Json;
  readonly at: string;
}

/** Where blocks have inner blocks, by type. None has any of its own type. */
const CHILDREN = new Map<unknown, string>([['container', 'child_blocks']]);

/** Returns the objects of a possible list, each with its place. */
export function placedIn(list: unknown, at: string): readonly Placed[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((object, index) => (isJson(object) ? [{ object, at: `${at}/${index}` }] : []));
}

/** Returns the blocks of a possible list, each followed by its inner blocks. */
export function blocksIn(list: unknown, at: string): readonly Placed[] {
  return placedIn(list, at).flatMap((block) => [block, ...childrenOf(block)]);
}

/** Returns a block's elements: what can be pressed, picked or filled in, and its accessory. */
export function elementsOf({ object, at }: Placed): readonly Placed[] {
  return [
    ...fieldOf(object, at, 'accessory'),
    ...fieldOf(object, at, 'element'),
    ...placedIn(object.elements, `${at}/elements`),
  ];
}

export function ofType(placed: readonly Placed[], ...types: readonly string[]): readonly Placed[] {
  return placed.filter(({ object }) => types.some((type) => type === object.type));
}

function childrenOf({ object, at }: Placed): readonly Placed[] {
  const field = CHILDREN.get(object.type);
  return field === undefined ? [] : placedIn(object[field], `${at}/${field}`);
}

function fieldOf(object: Json, at: string, field: string): readonly Placed[] {
  const value = object[field];
  return isJson(value) ? [{ object: value, at: `${at}/${field}` }] : [];
}
