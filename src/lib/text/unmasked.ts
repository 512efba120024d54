import { MASK } from './mask.ts';
import type { JsonObject } from './payload.ts';
import { isObject, sameJson } from './same-json.ts';

/** `left`: how many masked values and names have no original at their place, because they were moved there. */
export function unmasked(typed: JsonObject, original: JsonObject, masked: JsonObject): Unmasked {
  let left = 0;
  const restore = (value: unknown, whole: unknown, shown: unknown): unknown => {
    if (sameJson(value, shown)) return whole;
    if (Array.isArray(value)) {
      return value.map((item, index) => restore(item, itemAt(whole, index), itemAt(shown, index)));
    }
    if (isObject(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => {
          const [own, its] = [itemAt(whole, key), itemAt(shown, key)];
          if (own === NOTHING && (its !== NOTHING || key.includes(MASK))) left += 1;
          return [key, restore(item, own, its)];
        }),
      );
    }
    if (typeof value === 'string' && value.includes(MASK)) left += 1;
    return value;
  };
  const object = restore(typed, original, masked);
  return { object: isObject(object) ? object : {}, left };
}

export interface Unmasked {
  readonly object: JsonObject;
  readonly left: number;
}

/** Represents an absent value; equals no edit. */
const NOTHING = Symbol('nothing');

function itemAt(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return NOTHING;
  return Reflect.get(value, key);
}
