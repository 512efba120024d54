import type { AuditEntry, ChangeOutcome } from '../../domain/access/audit.ts';

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
