import { createHash } from 'node:crypto';

/** Where texts are kept that Slack has no room for, or that somebody typed: sealed, over all replicas and restarts. */
export interface KeptTexts {
  /** Until `until`. What is to be kept under the key for longer already stays: it's newer. Rejects with `StoreTroubleError`. */
  keepText(key: string, sealed: string, until: Date): Promise<void>;
  /** Null for what isn't kept, or no longer. */
  keptText(key: string, now: Date): Promise<string | null>;
  /** Unless it's to be kept for longer than `until`: that is newer. */
  forgetText(key: string, until: Date): Promise<void>;
}

const REFERENCE = /^v1#[0-9a-f]{64}$/;

/** What stands for a text where there is no room for it: the same for the same text, and under what it's kept. */
export function referenceOf(text: string): string {
  return `v1#${createHash('sha256').update(text).digest('hex')}`;
}

export function isReference(text: string): boolean {
  return REFERENCE.test(text);
}
