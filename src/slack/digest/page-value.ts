import { parseValue, writeValue } from '../blocks/button-value.ts';

export const SHOW_INCIDENTS = 'digest.show';

/** `offset` is counted from 0. */
export interface DigestPage {
  readonly digestId: string;
  readonly offset: number;
}

export function writeDigestPage({ digestId, offset }: DigestPage): string {
  return writeValue([digestId, String(offset)]);
}

export function parseDigestPage(value: string): DigestPage | null {
  const [digestId, offset = '', ...others] = parseValue(value) ?? [];
  if (digestId === undefined || others.length > 0 || !/^\d{1,6}$/.test(offset)) return null;
  return { digestId, offset: Number(offset) };
}
