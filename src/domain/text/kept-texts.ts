import { createHash } from 'node:crypto';

/** Stores texts that are too long for Slack, or that somebody typed: sealed, shared by all replicas, and across restarts. */
export interface KeptTexts {
  /** Stores a text until `until`, unless a newer one is already stored under the key for longer. Rejects with `StoreTroubleError`. */
  keepText(key: string, sealed: string, until: Date): Promise<void>;
  /** Returns a text; null if it isn't stored, or not anymore. */
  keptText(key: string, now: Date): Promise<string | null>;
}

const REFERENCE = /^v1#[0-9a-f]{64}$/;

/** Returns a short reference for a text that is too long for Slack, which is its storage key. The same text has the same reference. */
export function referenceOf(text: string): string {
  return `v1#${createHash('sha256').update(text).digest('hex')}`;
}

export function isReference(text: string): boolean {
  return REFERENCE.test(text);
}
