import type { GapContent } from '../../domain/alerting/delivery.ts';
import type { SqlRows } from '../database/database.ts';
import { gapRows } from '../polling/gap-rows.ts';
import type { WatchMessageRecord } from './message-record.ts';

/** Returns a gap notice's current content. It mentions nobody once everything has been checked, also as a new message for the gap's end. */
export async function gapContent(sql: SqlRows, record: WatchMessageRecord): Promise<GapContent> {
  const [gap] = await gapRows(sql, 'g.id = $1', [record.gap_id]);
  if (gap === undefined) throw new Error(`there is no gap ${record.gap_id}`);
  const mention = gap.closedAt !== null && gap.givenUp.length === 0 ? null : record.mention;
  return { kind: 'gap', id: record.id, channel: record.destination, gap, mention };
}
