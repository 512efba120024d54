import type { StatementResult } from '../database.ts';

/**
 * Requests to the thread of the embedded database. A caller that enters a transaction is answered when it is its turn, names the
 * transaction in each statement by a number of its own choice, and leaves it.
 */
export type Request =
  | { readonly kind: 'open'; readonly dataDir: string }
  | {
      readonly kind: 'query';
      readonly text: string;
      readonly values: readonly unknown[];
      readonly transaction: number | null;
    }
  /** Several statements; in their own transaction if none is named. */
  | { readonly kind: 'script'; readonly text: string; readonly transaction: number | null }
  | { readonly kind: 'enter'; readonly transaction: number }
  | { readonly kind: 'leave'; readonly transaction: number; readonly outcome: TransactionEnd }
  /** Answered when all earlier requests have been. */
  | { readonly kind: 'close' };

export type TransactionEnd = 'commit' | 'rollback';

/** A request on its way to the thread. */
export interface SentRequest {
  readonly id: number;
  readonly request: Request;
}

/** The answer to the request with the same ID, on its way back. */
export type Answered =
  | { readonly id: number; readonly answer: StatementResult }
  | { readonly id: number; readonly failure: ThreadFailure };

/** PostgreSQL's last error. Nothing is answered after it. */
export interface Panicked {
  readonly panic: string;
}

export interface ThreadFailure {
  readonly message: string;
  /** PostgreSQL's SQLSTATE, the system's code, or else the name of the error's class. */
  readonly code: string;
}

/** Returns the parts of an error that are passed on: never a statement's values, which PGlite puts into its errors. */
export function failureOf(error: unknown): ThreadFailure {
  if (!(error instanceof Error)) return { message: String(error), code: typeof error };
  return { message: error.message, code: 'code' in error ? String(error.code) : error.name };
}
