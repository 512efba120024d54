import type { Explanation } from '../errors.ts';

/**
 * Why the store can't be used, or not in full. `not-answering`: neither reads nor writes. `read-only` and `disk-almost-full`: reads
 * work, writes are refused, by the database and by Notif itself.
 */
export type StoreTrouble = 'not-answering' | 'read-only' | 'disk-almost-full';

/** What the last look at the store found; `since` is the look that found this trouble first. */
export type StoreState =
  | { readonly is: 'fine' }
  | { readonly is: 'in-trouble'; readonly trouble: StoreTrouble; readonly since: Date };

export const FINE: StoreState = { is: 'fine' };

/** The state after a look that found `trouble`, or none. The same trouble keeps the time at which it began. */
export function nextState(before: StoreState, trouble: StoreTrouble | null, now: Date): StoreState {
  if (trouble === null) return FINE;
  if (before.is === 'in-trouble' && before.trouble === trouble) return before;
  return { is: 'in-trouble', trouble, since: now };
}

/** An embedded database that has hung for this long doesn't come back by itself: its thread spins, or waits for a dead disk. */
const ENDS_AFTER_MS = 90_000;

/**
 * Whether only a new process helps. An embedded database that doesn't answer is part of the process. A server comes back by itself, and
 * so does one that takes no writes: a restart would only take the commands away from people.
 */
export function mustEnd(state: StoreState, kind: 'embedded' | 'server', now: Date): boolean {
  if (kind === 'server' || state.is === 'fine' || state.trouble !== 'not-answering') return false;
  return now.getTime() - state.since.getTime() >= ENDS_AFTER_MS;
}

/** What happened and what to do, for the person who asked and for the log. */
export const STORE_TROUBLES: Readonly<Record<StoreTrouble, Explanation>> = {
  'not-answering': {
    what: "Notif's database isn't responding.",
    next: 'Try again in a minute. If it stays this way, ask the people who run Notif: its log and docs/runbook.md say what to check.',
  },
  'read-only': {
    what: "Notif's database accepts no changes right now.",
    next: 'Lookups work. Changes work again once the database accepts them: docs/runbook.md says what to check.',
  },
  'disk-almost-full': {
    what: "The disk of Notif's database is almost full, so Notif stores nothing new.",
    next: 'Lookups work. Free up space on the disk of NOTIF_DATA_DIR: changes and polls then resume by themselves.',
  },
};

/** A statement that the store couldn't run because of its state, not because of the statement. Whether a write was stored may be unknown. */
export class StoreTroubleError extends Error {
  override readonly name = 'StoreTroubleError';
  readonly trouble: StoreTrouble;
  readonly next: string;
  /** The log has named this trouble when it began; nothing more is to be said of it. */
  readonly isKnown: boolean;

  constructor(trouble: StoreTrouble, cause?: unknown, { isKnown = false } = {}) {
    super(STORE_TROUBLES[trouble].what, { cause });
    this.trouble = trouble;
    this.next = STORE_TROUBLES[trouble].next;
    this.isKnown = isKnown;
  }
}

/** Whether something failed only because of trouble that the log has named already. */
export function isKnownTrouble(error: unknown): error is StoreTroubleError {
  return error instanceof StoreTroubleError && error.isKnown;
}
