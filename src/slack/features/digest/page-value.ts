import { z } from 'zod';
import { Count, valueParser, writeValue } from '../../kit/button-value.ts';

export const SHOW_INCIDENTS = 'digest.show';

/** `offset` is counted from 0. */
export interface DigestPage {
  readonly digestId: string;
  readonly offset: number;
}

export function writeDigestPage({ digestId, offset }: DigestPage): string {
  return writeValue([digestId, String(offset)]);
}

export const parseDigestPage = valueParser<DigestPage>(
  z.tuple([z.string(), Count]).transform(([digestId, offset]) => ({ digestId, offset })),
);
