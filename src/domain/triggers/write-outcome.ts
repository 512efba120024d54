import { InputError, ServiceError } from '../errors.ts';

/** What a write at the Notification Service came to. What people read, the audit trail and whether it may be sent again follow from it. */
export type WriteOutcome<Result> =
  | { readonly is: 'done'; readonly result: Result }
  /** For sure nothing was changed: it may be sent again, as another intent. */
  | { readonly is: 'refused'; readonly error: ServiceError | InputError }
  /** It may or may not have gone through. It's found out by reading, and never sent again by itself. `error` is what hid the outcome. */
  | { readonly is: 'unknown'; readonly error: unknown };

/** Carries a write out, once. Never rejects: an error of Notif's own leaves the outcome unknown too. */
export async function writeOutcome<Result>(write: () => Promise<Result>): Promise<WriteOutcome<Result>> {
  try {
    return { is: 'done', result: await write() };
  } catch (error) {
    const isCertain = error instanceof InputError || (error instanceof ServiceError && !error.outcomeUnknown);
    return isCertain ? { is: 'refused', error } : { is: 'unknown', error };
  }
}
