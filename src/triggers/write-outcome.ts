import { settleChange } from '../audit/audit.ts';
import type { ChangeOutcome } from '../audit/entry.ts';
import { InputError, ServiceError } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import type { Db } from '../store/db.ts';

type WriteOutcome<Result> =
  | { readonly is: 'done'; readonly result: Result }
  /** Nothing was changed for sure, so it can be sent again as another intent. */
  | { readonly is: 'refused'; readonly error: ServiceError | InputError }
  /** Found out by reading, and never sent again by itself. */
  | { readonly is: 'unknown'; readonly error: unknown };

/** Never rejects: an error of Notif's own also leaves the outcome unknown. */
export async function writeOutcome<Result>(write: () => Promise<Result>): Promise<WriteOutcome<Result>> {
  try {
    return { is: 'done', result: await write() };
  } catch (error) {
    const isCertain = error instanceof InputError || (error instanceof ServiceError && !error.outcomeUnknown);
    return isCertain ? { is: 'refused', error } : { is: 'unknown', error };
  }
}

export function outcomeInTrail(outcome: WriteOutcome<unknown>): ChangeOutcome {
  if (outcome.is !== 'refused') return { is: outcome.is };
  return { is: 'refused', why: outcome.error instanceof InputError ? 'refused' : outcome.error.problem.kind };
}

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
