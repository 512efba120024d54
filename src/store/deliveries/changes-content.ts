import { z } from 'zod';
import type { ChangesContent } from '../../domain/alerting/delivery.ts';
import { ChangeColumns, changeOf } from '../changes/environment-changes.ts';
import { jsonOf, type SqlRows } from '../database/database.ts';
import type { WatchMessageRecord } from './message-record.ts';

const Details = z.object({ changes: z.array(z.number()) });

/** Returns the changes that a message shows. */
export async function changesContent(sql: SqlRows, record: WatchMessageRecord): Promise<ChangesContent> {
  const { id, destination: channel, environment } = record;
  const { changes } = Details.parse(record.details);
  const some =
    'SELECT * FROM changes WHERE id IN (SELECT value::bigint FROM jsonb_array_elements_text($1::jsonb)) ORDER BY id';
  const rows = await sql.rows(ChangeColumns, some, [jsonOf(changes)]);
  return { kind: 'changes', id, channel, environment, changes: rows.map(changeOf) };
}
