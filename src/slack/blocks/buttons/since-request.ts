import { parseValue, writeValue } from '../button-value.ts';

/** A page of changes: since when, in which environments (all if none is named), and from which entry. */
export interface SinceRequest {
  readonly since: Date;
  readonly environments: readonly string[];
  readonly olderThan: number | null;
}

/** Encodes a request as a button's value. */
export function writeRequest({ since, environments, olderThan }: SinceRequest): string {
  return writeValue([String(since.getTime()), olderThan === null ? '' : String(olderThan), ...environments]);
}

/** Parses a value of `writeRequest`. Null for anything else. */
export function parseRequest(value: string): SinceRequest | null {
  const [since = '', olderThan = '', ...environments] = parseValue(value) ?? [];
  if (!/^\d{1,15}$/.test(since) || !/^\d{0,15}$/.test(olderThan)) return null;
  return { since: new Date(Number(since)), environments, olderThan: olderThan === '' ? null : Number(olderThan) };
}
