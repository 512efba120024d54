import type { Explanation } from '../errors.ts';

/** `not-answering`: neither reads nor writes. `read-only`: the database refuses writes. */
export type StoreTrouble = 'not-answering' | 'read-only';

/** The result of the last look at the store; `since` is when a look first found this problem. */
export type StoreState =
  | { readonly is: 'fine' }
  | { readonly is: 'in-trouble'; readonly trouble: StoreTrouble; readonly since: Date };

export const FINE: StoreState = { is: 'fine' };

/** Returns the state after a look that found `trouble`, or none. The same problem keeps its start time. */
export function nextState(before: StoreState, trouble: StoreTrouble | null, now: Date): StoreState {
  if (trouble === null) return FINE;
  if (before.is === 'in-trouble' && before.trouble === trouble) return before;
  return { is: 'in-trouble', trouble, since: now };
}

/** An embedded database that has hung for this long doesn't recover by itself: its thread spins, or waits for a dead disk. */
const ENDS_AFTER_MS = 90_000;

/** An embedded database that doesn't respond is part of the process. A server recovers by itself, and so does one that accepts no writes. */
export function mustEnd(state: StoreState, kind: 'embedded' | 'server', now: Date): boolean {
  if (kind === 'server' || state.is === 'fine' || state.trouble !== 'not-answering') return false;
  return now.getTime() - state.since.getTime() >= ENDS_AFTER_MS;
}

export const STORE_TROUBLES: Readonly<Record<StoreTrouble, Explanation>> = {
  'not-answering': {
    what: "Notif's database isn't responding.",
    next: 'Try again in a minute. If it stays this way, ask the people who run Notif: its log and docs/runbook.md say what to check.',
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
  readonly isKnown: boolean;

  constructor(trouble: StoreTrouble, cause?: unknown, { isKnown = false } = {}) {
    super(STORE_TROUBLES[trouble].what, { cause });
    this.trouble = trouble;
    this.next = STORE_TROUBLES[trouble].next;
    this.isKnown = isKnown;
  }
}

export function isKnownTrouble(error: unknown): error is StoreTroubleError {
  return error instanceof StoreTroubleError && error.isKnown;
}
