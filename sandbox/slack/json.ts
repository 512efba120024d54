import type { Json } from './page-protocol.ts';

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function stringIn(value: unknown, field: string): string | undefined {
  const content = isJson(value) ? value[field] : undefined;
  return typeof content === 'string' ? content : undefined;
}

export function objectIn(value: unknown, field: string): Json {
  const content = isJson(value) ? value[field] : undefined;
  return isJson(content) ? content : {};
}

export function objectsIn(value: unknown, field: string): readonly Json[] {
  const content = isJson(value) ? value[field] : undefined;
  return Array.isArray(content) ? content.filter(isJson) : [];
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
