import { z } from 'zod';
import type { ChangesContent, Delivery, GapContent, WatchEndedContent } from '../../domain/alerting/delivery.ts';
import type { Traffic } from '../../domain/failures/traffic.ts';
import { WATCH_ENDS, type Watch } from '../../domain/watches/watch.ts';
import { gapRows } from '../../polling/gap-rows.ts';
import type { DeliveryStore } from '../../use-cases/alerting/deliver-messages.ts';
import { ChangeColumns, changeOf } from '../changes/environment-changes.ts';
import { type Database, jsonOf, type SqlRows } from '../database/database.ts';
import { threadContent } from '../incidents/threads.ts';
import { WATCH_COLUMNS, WatchRow } from '../watches/watches.ts';
import { destinationOf } from './deliveries.ts';
import { digestContent } from './digest-content.ts';
import { WatchMessageRecord } from './message-record.ts';
import { summaryContent } from './summary-content.ts';

export function contents(database: Database, traffic: Traffic): Pick<DeliveryStore, 'content'> {
  return { content: (messageId, now) => content(database, messageId, now, traffic) };
}

async function content(database: Database, messageId: string, now: Date, traffic: Traffic): Promise<Delivery> {
  const [record] = await database.rows(
    WatchMessageRecord,
    `SELECT d.*, ${destinationOf('d')} AS destination, first.ts AS thread_ts
     FROM messages d LEFT JOIN messages first ON first.id = d.thread_of
     WHERE d.id = $1`,
    [messageId],
  );
  if (record === undefined) throw new Error(`there is no message ${messageId}`);
  switch (record.kind) {
    case 'digest':
      return digestContent(database, record, now, traffic);
    case 'gap':
      return gapContent(database, record);
    case 'changes':
      return changesContent(database, record);
    case 'summary':
      return summaryContent(record);
    case 'watch-ended':
      return watchEndedContent(database, record);
    case 'thread':
      return threadContent(database, record, now);
  }
}

/** Returns a gap notice's current content. It mentions nobody once everything has been checked, also as a new message for the gap's end. */
async function gapContent(sql: SqlRows, record: WatchMessageRecord): Promise<GapContent> {
  const [gap] = await gapRows(sql, 'g.id = $1', [record.gap_id]);
  if (gap === undefined) throw new Error(`there is no gap ${record.gap_id}`);
  const mention = gap.closedAt !== null && gap.givenUp.length === 0 ? null : record.mention;
  return { kind: 'gap', ...addressOf(record), gap, mention };
}

const ChangesDetails = z.object({ changes: z.array(z.number()) });

async function changesContent(sql: SqlRows, record: WatchMessageRecord): Promise<ChangesContent> {
  const { changes } = ChangesDetails.parse(record.details);
  const some =
    'SELECT * FROM changes WHERE id IN (SELECT value::bigint FROM jsonb_array_elements_text($1::jsonb)) ORDER BY id';
  const rows = await sql.rows(ChangeColumns, some, [jsonOf(changes)]);
  const { environment } = record;
  return { kind: 'changes', ...addressOf(record), environment, changes: rows.map(changeOf) };
}

const WatchEndDetails = z.object({ why: z.enum(WATCH_ENDS) });

async function watchEndedContent(database: Database, record: WatchMessageRecord): Promise<WatchEndedContent> {
  const { why } = WatchEndDetails.parse(record.details);
  return { kind: 'watch-ended', ...addressOf(record), watch: await watchOfRecord(database, record), why };
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
