import type { Explanation } from '../lib/errors.ts';

/** `not-answering`: neither reads nor writes. `read-only`: refuses writes. `damaged`: tables or files are gone, and only a start helps. */
export type StoreTrouble = 'not-answering' | 'read-only' | 'damaged';

export const STORE_TROUBLES: Readonly<Record<StoreTrouble, Explanation>> = {
  'not-answering': {
    what: "Notif's database isn't responding.",
    next: 'Try again in a minute. If it stays this way, ask the people who run Notif: its log and docs/runbook.md say what to check.',
  },
  damaged: {
    what: "Notif's database is damaged, or its tables are gone.",
    next: 'Tell the people who run Notif: it restarts, and its log and docs/runbook.md say what to restore.',
  },
  'read-only': {
    what: "Notif's database accepts no changes right now.",
    next: 'Lookups work. Changes work again once the database accepts them: docs/runbook.md says what to check.',
  },
};

/** The store couldn't run a statement because of its state, not because of the statement. Whether a write was stored may be unknown. */
export class StoreTroubleError extends Error {
  override readonly name = 'StoreTroubleError';
  readonly trouble: StoreTrouble;
  readonly next: string;

  constructor(trouble: StoreTrouble, cause?: unknown) {
    super(STORE_TROUBLES[trouble].what, { cause });
    this.trouble = trouble;
    this.next = STORE_TROUBLES[trouble].next;
  }
}
