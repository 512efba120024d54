import { isJson } from '../json.ts';

/** Returns the value at an RFC 6901 pointer; undefined if there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  return pointer.split('/').slice(1).map(unescaped).reduce(step, value);
}

function step(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isJson(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function unescaped(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}
