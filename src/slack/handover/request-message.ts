import { parseValue, writeValue } from '../blocks/button-value.ts';

/** A `/notif handover` request: since when, up to now, and for which environments. */
export interface HandoverRequest {
  readonly since: Date;
  readonly environments: readonly string[];
}

/** Encodes a request as a button's value. */
export function writeRequest({ since, environments }: HandoverRequest): string {
  return writeValue([String(since.getTime()), ...environments]);
}

/** Parses a value of `writeRequest`. Null for anything else. */
export function parseRequest(value: string): HandoverRequest | null {
  const [since = '', ...environments] = parseValue(value) ?? [];
  return /^\d{1,15}$/.test(since) ? { since: new Date(Number(since)), environments } : null;
}
