import type { AuditEntry, ChangeOutcome } from '../../domain/access/audit.ts';

/**
 * The audit trail, as anyone who changes something writes it. What changes in the service is recorded as `begun` before it is asked for
 * and settled afterwards: a change that nobody lived to settle is in the trail too. What changes in the store is recorded there, in
 * the same transaction (`recordEntry`).
 */
export interface ChangeRecord {
  /** Writes an entry down. False, and nothing is written, where its intent has one already: anyone who gets that changes nothing. */
  recordChange(entry: AuditEntry): Promise<boolean>;
  /** The outcome of an intent's change. An outcome that is certain stays: only `begun` and `unknown` give way. */
  settleChange(intentId: string, outcome: ChangeOutcome): Promise<void>;
}
