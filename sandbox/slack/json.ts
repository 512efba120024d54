import type { Json } from './page-protocol.ts';

/** Returns whether the value is a JSON object, not an array or null. */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function stringIn(value: unknown, field: string): string | undefined {
  const found = isJson(value) ? value[field] : undefined;
  return typeof found === 'string' ? found : undefined;
}

/** Returns the field if it is an object, else an empty one. */
export function objectIn(value: unknown, field: string): Json {
  const found = isJson(value) ? value[field] : undefined;
  return isJson(found) ? found : {};
}

/** Returns the objects of the field if it is an array, else none. */
export function objectsIn(value: unknown, field: string): readonly Json[] {
  const found = isJson(value) ? value[field] : undefined;
  return Array.isArray(found) ? found.filter(isJson) : [];
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
