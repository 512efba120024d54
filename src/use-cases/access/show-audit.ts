import type { AuditEntry } from '../../domain/access/audit.ts';

export interface AuditQuery {
  readonly since: Date;
  /** Empty: changes of all environments, and those without one. */
  readonly environments: readonly string[];
  /** Limits the page to entries with a lower number, to continue after the previous page. Null for the first page. */
  readonly olderThan: number | null;
  readonly limit: number;
}

export interface NumberedEntry extends AuditEntry {
  readonly number: number;
}

export interface AuditPage {
  readonly entries: readonly NumberedEntry[];
  readonly hasOlder: boolean;
}

export interface AuditTrail {
  auditEntries(query: AuditQuery): Promise<AuditPage>;
}

export interface ShowAuditParts {
  readonly store: AuditTrail;
}

/** The trail shows who did what, so its command and buttons are for operators only. */
export function showAudit(query: AuditQuery, parts: ShowAuditParts): Promise<AuditPage> {
  return parts.store.auditEntries(query);
}
