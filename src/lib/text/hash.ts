import { createHash } from 'node:crypto';

/** The same for the same facts. */
export const fingerprintOf = (...facts: readonly unknown[]): string => hashOf(JSON.stringify(facts), 32);

export const hashOf = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length);
