import type { AuditEntry, ChangeOutcome } from '../../domain/access/audit.ts';
import { InputError } from '../../domain/errors.ts';
import type { WriteOutcome } from '../../domain/triggers/write-outcome.ts';

/**
 * The audit trail for everything that changes something. A change in the service is recorded as `begun` before the request is sent and
 * settled afterwards, so the trail also shows a change that a crash left unsettled. A change in the store is recorded in the same
 * transaction (`recordEntry`).
 */
export interface ChangeRecord {
  /** Records an entry. Returns false and writes nothing if its intent already has one; the caller must then change nothing. */
  recordChange(entry: AuditEntry): Promise<boolean>;
  /** Records the outcome of an intent's change. Overwrites only `begun` and `unknown`; a certain outcome stays. */
  settleChange(intentId: string, outcome: ChangeOutcome): Promise<void>;
}

/** Returns what the audit trail says of a write that didn't succeed for sure. */
export function outcomeInTrail(outcome: Exclude<WriteOutcome<unknown>, { is: 'done' }>): ChangeOutcome {
  if (outcome.is === 'unknown') return { is: 'unknown' };
  return { is: 'refused', why: outcome.error instanceof InputError ? 'refused' : outcome.error.problem.kind };
}
