import type { AuditContent } from '../../domain/alerting/delivery.ts';
import type { Environment } from '../../domain/environment.ts';
import { auditLine } from '../blocks/audit-line.ts';
import { type MessageContent, message, section } from '../blocks/blocks.ts';

/** An entry of the audit trail for the channel that mirrors it. */
export function auditMessage({ entry }: AuditContent, environments: readonly Environment[]): MessageContent {
  const line = auditLine(entry, environments);
  return message(line, [section(line)]);
}
