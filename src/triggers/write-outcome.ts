import { settleChange } from '../audit/audit.ts';
import type { ChangeOutcome } from '../audit/entry.ts';
import { InputError, ServiceError } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import type { Db } from '../store/db.ts';

/** The outcome of a write at the Notification Service. It determines what people see, the audit trail and whether it can be resent. */
export type WriteOutcome<Result> =
  | { readonly is: 'done'; readonly result: Result }
  /** Definitely nothing was changed, so it can be resent as another intent. */
  | { readonly is: 'refused'; readonly error: ServiceError | InputError }
  /** It may or may not have gone through. Notif finds out by reading, and never resends it by itself. `error` is what hid the outcome. */
  | { readonly is: 'unknown'; readonly error: unknown };

/** Carries out a write once. Never rejects: an error of Notif's own also leaves the outcome unknown. */
export async function writeOutcome<Result>(write: () => Promise<Result>): Promise<WriteOutcome<Result>> {
  try {
    return { is: 'done', result: await write() };
  } catch (error) {
    const isCertain = error instanceof InputError || (error instanceof ServiceError && !error.outcomeUnknown);
    return isCertain ? { is: 'refused', error } : { is: 'unknown', error };
  }
}

export function outcomeInTrail(outcome: Exclude<WriteOutcome<unknown>, { is: 'done' }>): ChangeOutcome {
  if (outcome.is === 'unknown') return { is: 'unknown' };
  return { is: 'refused', why: outcome.error instanceof InputError ? 'refused' : outcome.error.problem.kind };
}

/** Writes down what became of a write. Never rejects: the person sees it even if it can't be written down. */
export async function settle(
  { db, logger }: { readonly db: Db; readonly logger: Logger },
  intentId: string,
  outcome: ChangeOutcome,
  andNote: () => Promise<void> = async () => {},
): Promise<void> {
  try {
    await settleChange(db, intentId, outcome);
    await andNote();
  } catch (error) {
    logger.error({ err: error, intent: intentId }, "the outcome of a change couldn't be recorded");
  }
}
