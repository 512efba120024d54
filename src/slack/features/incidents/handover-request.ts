import { z } from 'zod';
import { Time, valueParser, writeValue } from '../../kit/button-value.ts';

/** `environments`: all if none is named. */
export interface HandoverRequest {
  readonly since: Date;
  readonly environments: readonly string[];
}

export function writeRequest({ since, environments }: HandoverRequest): string {
  return writeValue([String(since.getTime()), ...environments]);
}

export const parseRequest = valueParser<HandoverRequest>(
  z.tuple([Time], z.string()).transform(([since, ...environments]) => ({ since, environments })),
);
