import type { Answer } from '../database.ts';

/**
 * What the thread of the embedded database can be asked for. Anyone who enters a transaction gets the answer when it is its turn, names it
 * in each statement by a number of its own choice, and leaves it.
 */
export type Request =
  | { readonly kind: 'open'; readonly dataDir: string }
  | {
      readonly kind: 'query';
      readonly text: string;
      readonly values: readonly unknown[];
      readonly transaction: number | null;
    }
  /** Several statements; in a transaction of their own where none is named. */
  | { readonly kind: 'script'; readonly text: string; readonly transaction: number | null }
  | { readonly kind: 'enter'; readonly transaction: number }
  | { readonly kind: 'leave'; readonly transaction: number; readonly outcome: Outcome }
  /** Answered when all that was asked before has been. */
  | { readonly kind: 'close' };

export type Outcome = 'commit' | 'rollback';

/** A request on its way to the thread. */
export interface Asked {
  readonly id: number;
  readonly request: Request;
}

/** The answer to the request of the same id, on its way back. */
export type Answered =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly failure: Failure };

/** PostgreSQL's last words. Nothing is answered after them. */
export interface Panicked {
  readonly panic: string;
}

/** An error as it crosses: between threads, an error keeps neither its class nor its code. */
export interface Failure {
  readonly message: string;
  /** PostgreSQL's SQLSTATE, or the system's code, or else the name of the error's class. */
  readonly code: string;
}

/** What is passed on of an error. Never a statement's values, which PGlite puts into its errors. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error), code: typeof error };
  return { message: error.message, code: 'code' in error ? String(error.code) : error.name };
}
