import type { Json } from './page-protocol.ts';

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function stringIn(value: unknown, field: string): string | undefined {
  const found = isJson(value) ? value[field] : undefined;
  return typeof found === 'string' ? found : undefined;
}

export function objectIn(value: unknown, field: string): Json {
  const found = isJson(value) ? value[field] : undefined;
  return isJson(found) ? found : {};
}

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
