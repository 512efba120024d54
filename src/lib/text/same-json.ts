import type { JsonObject } from './payload.ts';

/** Returns whether two JSON values are equal, ignoring the order of an object's keys. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [own, others] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  return (
    own.size === others.size && [...own].every(([key, value]) => others.has(key) && sameJson(value, others.get(key)))
  );
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
