import type { AuditEntry } from '../../domain/access/audit.ts';

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
}

/** A page of the trail. It tells who does what: its command and buttons are for operators. */
export function showAudit(query: AuditQuery, parts: ShowAuditParts): Promise<AuditPage> {
  return parts.store.auditEntries(query);
}
