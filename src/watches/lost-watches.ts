import { subDays } from 'date-fns';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { CHANNEL_REFUSALS, type ChannelRefusal } from '../lib/refusals.ts';
import { type Db, textList } from '../store/db.ts';

/** A watch that ended since its channel refuses messages. */
export interface LostWatch {
  at: Date;
  channel: string;
  why: ChannelRefusal;
  watch: string;
}

const LostRow = z.object({ at: z.date(), channel: z.string(), why: z.enum(CHANNEL_REFUSALS), watch: z.string() });

const SHOWN_DAYS = 7;

/** The newest first. `channel` null: of all channels. Entries that can't be read are left out. */
export async function lostWatches(db: Db, channel: string | null, now: Date): Promise<readonly LostWatch[]> {
  return db.rows(
    LostRow,
    sql`
      SELECT at, channel, change ->> 'why' AS why, change ->> 'watch' AS watch
      FROM audit
      WHERE change ->> 'action' = 'watch-lost'
        AND change ->> 'why' IN ${textList(CHANNEL_REFUSALS)}
        AND change ? 'watch'
        AND at > ${subDays(now, SHOWN_DAYS)}
        AND ${channel === null ? sql`true` : sql`channel = ${channel}`}
      ORDER BY at DESC, id DESC`,
  );
}
