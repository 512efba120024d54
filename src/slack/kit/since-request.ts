import { z } from 'zod';
import { KeyOrNull, Time, valueParser, writeValue } from './button-value.ts';

/** `environments`: all if none is named. */
export interface SinceRequest {
  readonly since: Date;
  readonly environments: readonly string[];
  readonly olderThan: number | null;
}

export function writeRequest({ since, environments, olderThan }: SinceRequest): string {
  return writeValue([String(since.getTime()), String(olderThan ?? ''), ...environments]);
}

export const parseRequest = valueParser<SinceRequest>(
  z
    .tuple([Time, KeyOrNull], z.string())
    .transform(([since, olderThan, ...environments]) => ({ since, environments, olderThan })),
);
