import { settleChange } from '../audit/audit.ts';
import type { ChangeOutcome } from '../audit/tables.ts';
import { InputError } from '../lib/errors.ts';
import { ServiceError } from '../service/service-error.ts';
import type { Ctx } from '../store/db.ts';

export type FailedWrite =
  | { is: 'refused'; error: ServiceError | InputError }
  /** Such a write mustn't be repeated automatically. */
  | { is: 'unknown'; error: unknown };

type WriteOutcome<Result> = { is: 'done'; result: Result } | FailedWrite;

export async function attemptWrite<Result>(write: () => Promise<Result>): Promise<WriteOutcome<Result>> {
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

/** A failure is logged: whoever made the change still gets its result. */
export async function settle(
  { db, logger }: Ctx,
  intentId: string,
  outcome: ChangeOutcome,
  afterwards?: () => Promise<void>,
): Promise<void> {
  try {
    await settleChange(db, intentId, outcome);
    await afterwards?.();
  } catch (error) {
    logger.error({ err: error, intent: intentId }, "The outcome of a change couldn't be recorded");
  }
}
