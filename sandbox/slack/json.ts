import type { Json } from './page-protocol.ts';

/** True for a JSON object: not for an array, not for null. */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The field when it is a string, else undefined. */
export function stringIn(value: unknown, field: string): string | undefined {
  const found = isJson(value) ? value[field] : undefined;
  return typeof found === 'string' ? found : undefined;
}

/** The field when it is an object, else an empty one. */
export function objectIn(value: unknown, field: string): Json {
  const found = isJson(value) ? value[field] : undefined;
  return isJson(found) ? found : {};
}

/** The objects of the field when it is an array, else none. */
export function objectsIn(value: unknown, field: string): readonly Json[] {
  const found = isJson(value) ? value[field] : undefined;
  return Array.isArray(found) ? found.filter(isJson) : [];
}

/** The value that the text stands for; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
