import { parseValue, writeValue } from '../blocks/button-value.ts';

/** `environments`: all if none is named. */
export interface HandoverRequest {
  readonly since: Date;
  readonly environments: readonly string[];
}

export function writeRequest({ since, environments }: HandoverRequest): string {
  return writeValue([String(since.getTime()), ...environments]);
}

export function parseRequest(value: string): HandoverRequest | null {
  const [since = '', ...environments] = parseValue(value) ?? [];
  return /^\d{1,15}$/.test(since) ? { since: new Date(Number(since)), environments } : null;
}
