import type { AuditEntry } from '../domain/audit.ts';
import type { Operators } from '../domain/operators.ts';
import { type GroupMembers, requireOperator } from './require-operator.ts';

export interface AuditQuery {
  readonly since: Date;
  /** Empty for the changes of all environments, and of none. */
  readonly environments: readonly string[];
  /** Only entries with a lower number: the page after the one that ended with it. Null for the first page. */
  readonly olderThan: number | null;
  readonly limit: number;
}

/** Numbers ascend with time. */
export interface NumberedEntry extends AuditEntry {
  readonly number: number;
}

export interface AuditPage {
  /** The newest first. */
  readonly entries: readonly NumberedEntry[];
  readonly hasOlder: boolean;
}

export interface AuditTrail {
  auditEntries(query: AuditQuery): Promise<AuditPage>;
}

export interface ShowAuditParts {
  readonly store: AuditTrail;
  readonly operators: Operators;
  readonly groups: GroupMembers;
}

/** A page of the trail, for operators only: it tells who does what. Throws `NotOperatorError`. */
export async function showAudit(query: AuditQuery, asker: string, parts: ShowAuditParts): Promise<AuditPage> {
  await requireOperator(asker, parts.operators, parts.groups);
  return parts.store.auditEntries(query);
}
