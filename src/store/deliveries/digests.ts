import { z } from 'zod';
import type { DigestRow } from '../../domain/alerting/delivery.ts';
import type { Traffic } from '../../domain/failures/traffic.ts';
import type { Database } from '../database/database.ts';
import { CountRow } from '../database/row.ts';
import { announcedRows } from './digest-content.ts';

const DigestRecord = z.object({ id: z.string(), watch_id: z.string(), covered_from: z.date(), created_at: z.date() });

export function digests(database: Database, traffic: Traffic) {
  return {
    /** Returns some of the incidents that a digest announces, as of `now`, and their total number; those in its rows come first. */
    async digestRows(
      digestId: string,
      page: { readonly offset: number; readonly limit: number },
      now: Date,
    ): Promise<{ readonly rows: readonly DigestRow[]; readonly total: number }> {
      const found = 'SELECT id, watch_id, covered_from, created_at FROM messages WHERE id = $1';
      const [digest] = await database.rows(DigestRecord, found, [digestId]);
      if (digest === undefined) return { rows: [], total: 0 };
      const count = 'SELECT count(*) FROM announcements WHERE message_id = $1';
      const [announcements] = await database.rows(CountRow, count, [digestId]);
      return { rows: await announcedRows(database, digest, page, now, traffic), total: announcements?.count ?? 0 };
    },
  };
}
