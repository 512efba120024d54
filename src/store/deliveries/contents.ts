import { z } from 'zod';
import type { Delivery, WatchEndedContent, WatchOrphanedContent } from '../../domain/alerting/delivery.ts';
import { orphanEndsAt } from '../../domain/watches/orphans.ts';
import { WATCH_ENDS, type Watch } from '../../domain/watches/watch.ts';
import type { DeliveryStore } from '../../use-cases/alerting/deliver-messages.ts';
import type { Database } from '../database/database.ts';
import { threadContent } from '../incidents/threads.ts';
import { WATCH_COLUMNS, WatchRow } from '../watches/watches.ts';
import { auditContent } from './audit-mirror.ts';
import { changesContent } from './changes-content.ts';
import { destinationOf } from './deliveries.ts';
import { digestContent } from './digest-content.ts';
import { gapContent } from './gap-content.ts';
import { WatchMessageRecord } from './message-record.ts';
import { summaryContent } from './summary-content.ts';

/** Builds the contents of messages. */
export function contents(database: Database): Pick<DeliveryStore, 'content'> {
  return { content: (messageId, now) => content(database, messageId, now) };
}

async function content(database: Database, messageId: string, now: Date): Promise<Delivery> {
  const [record] = await database.rows(
    MessageRecord,
    `SELECT d.*, ${destinationOf('d')} AS destination, first.ts AS thread_ts
     FROM messages d LEFT JOIN messages first ON first.id = d.thread_of
     WHERE d.id = $1`,
    [messageId],
  );
  if (record === undefined) throw new Error(`there is no message ${messageId}`);
  switch (record.kind) {
    case 'audit':
      return auditContent(database, record);
    case 'digest':
      return digestContent(database, record, now);
    case 'gap':
      return gapContent(database, record);
    case 'changes':
      return changesContent(database, record);
    case 'summary':
      return summaryContent(record);
    case 'watch-orphaned':
      return watchOrphanedContent(database, record);
    case 'watch-ended':
      return watchEndedContent(database, record);
    case 'thread':
      return threadContent(database, record, now);
  }
}

const AuditRecord = z.object({
  id: z.string(),
  kind: z.literal('audit'),
  destination: z.string(),
  entry_id: z.string(),
});

const MessageRecord = z.discriminatedUnion('kind', [WatchMessageRecord, AuditRecord]);

const WatchEndDetails = z.object({ why: z.enum(WATCH_ENDS) });

async function watchEndedContent(database: Database, record: WatchMessageRecord): Promise<WatchEndedContent> {
  const { why } = WatchEndDetails.parse(record.details);
  return { kind: 'watch-ended', ...addressOf(record), watch: await watchOfRecord(database, record), why };
}

async function watchOrphanedContent(database: Database, record: WatchMessageRecord): Promise<WatchOrphanedContent> {
  const watch = await watchOfRecord(database, record);
  return { kind: 'watch-orphaned', ...addressOf(record), watch, endsAt: orphanEndsAt(record.created_at) };
}

function addressOf({ id, destination }: WatchMessageRecord) {
  return { id, channel: destination };
}

async function watchOfRecord(database: Database, record: WatchMessageRecord): Promise<Watch> {
  const one = `SELECT ${WATCH_COLUMNS} FROM watches w WHERE w.id = $1`;
  const [watch] = await database.rows(WatchRow, one, [record.watch_id]);
  if (watch === undefined) throw new Error(`there is no watch ${record.watch_id}`);
  return watch;
}
