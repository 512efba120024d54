import type { AuditContent } from '../../domain/alerting/delivery.ts';
import type { Environment } from '../../domain/environment.ts';
import { type MessageContent, sentence } from '../blocks/blocks.ts';
import { auditLine } from '../blocks/words/audit-line.ts';

/** Builds an audit trail entry for the channel that mirrors it. */
export function auditMessage({ entry }: AuditContent, environments: readonly Environment[]): MessageContent {
  const line = auditLine(entry, environments);
  return sentence(line);
}
