import { parseValue, writeValue } from '../blocks/button-value.ts';

/** What `/notif handover` asks: since when, up to now, and of which environments. */
export interface HandoverRequest {
  readonly since: Date;
  readonly environments: readonly string[];
}

/** A request as a button's value. */
export function writeRequest({ since, environments }: HandoverRequest): string {
  return writeValue([String(since.getTime()), ...environments]);
}

/** What `writeRequest` wrote, or null. */
export function parseRequest(value: string): HandoverRequest | null {
  const [since = '', ...environments] = parseValue(value) ?? [];
  return /^\d{1,15}$/.test(since) ? { since: new Date(Number(since)), environments } : null;
}
