import { min, startOfMinute } from 'date-fns';
import { z } from 'zod';
import type { Logger } from '../domain/logger.ts';
import { MINUTE_MS } from '../domain/time/durations.ts';
import { lastWallClock } from '../domain/time/wall-clock.ts';
import type { Db } from '../store/db.ts';
import { jsonOf } from '../store/values.ts';
import { isAbout, type Watch } from '../watches/settings.ts';
import { WATCH_COLUMNS, WatchRow } from '../watches/watches.ts';
import type { SummaryAsked } from './summary.ts';

export interface SummariseCtx {
  readonly db: Db;
  readonly environments: readonly string[];
  readonly logger: Logger;
  readonly now: () => Date;
}

/** After a downtime the first poll takes seconds, and catching up on the night takes minutes. */
const LONGEST_WAIT_MS = 10 * MINUTE_MS;

const DueRow = WatchRow.and(z.object({ last_summary_day: z.string().nullable(), summed_to: z.date().nullable() }));
const CheckedRow = z.object({ environment: z.string(), checked_to: z.date() });

/** Writes the daily summaries that are due, each once over all replicas; waits for environments that are still being read. */
export function createSummariser({
  db,
  environments,
  logger,
  now,
}: SummariseCtx): (signal: AbortSignal) => Promise<number> {
  const waitingSince = new Map<string, Date>();
  return async (signal) => {
    const all = `SELECT ${WATCH_COLUMNS}, w.last_summary_day, w.summed_to FROM watches w WHERE ended_at IS NULL ORDER BY created_at, id`;
    let written = 0;
    for (const watch of await db.rows(DueRow, all)) {
      if (signal.aborted) break;
      const due = summaryDue(watch, watch.last_summary_day, now());
      if (due === null) continue;
      const key = `${watch.id} ${due.day}`;
      const since = waitingSince.get(key) ?? now();
      waitingSince.set(key, since);
      const about = environments.filter((environment) => isAbout(watch.settings.filter, environment));
      const isLate = now().getTime() - since.getTime() >= LONGEST_WAIT_MS;
      const checkedTo = await wholeCheckOf(db, about, due.at);
      if (!isLate && checkedTo === null) continue;
      // Events are counted by the minute: one that this summary leaves out is in the next.
      const to = startOfMinute(min([now(), checkedTo ?? now()]));
      const from = watch.summed_to ?? watch.createdAt;
      waitingSince.delete(key);
      if (!(await write(db, watch.id, due.day, { from, to, environments: about }))) continue;
      logger.info({ watchId: watch.id, channel: watch.channel, day: due.day }, 'daily summary written');
      written += 1;
    }
    return written;
  };
}

/** Of missed days only the last is made up for; a watch made after that time of day waits for the next day. */
function summaryDue(
  { settings: { summaryAt, timeZone }, createdAt }: Pick<Watch, 'settings' | 'createdAt'>,
  lastDay: string | null,
  now: Date,
): { readonly day: string; readonly at: Date } | null {
  if (summaryAt === null) return null;
  const { day, at } = lastWallClock(summaryAt, timeZone, now);
  return at <= createdAt || (lastDay !== null && day <= lastDay) ? null : { day, at };
}

/** How far all of them are checked; null if that isn't up to `at`. */
async function wholeCheckOf(sql: Db, environments: readonly string[], at: Date): Promise<Date | null> {
  const rows = await sql.rows(CheckedRow, CHECKED, [jsonOf(environments), at]);
  return rows.length < environments.length || rows.length === 0 ? null : min(rows.map(({ checked_to }) => checked_to));
}

/** A gap that was never tried is about to be read. */
const CHECKED = `
  SELECT environment, checked_to FROM environments c WHERE $1::jsonb ? environment AND checked_to >= $2 AND NOT EXISTS (
    SELECT FROM gaps g WHERE g.environment = c.environment AND g.closed_at IS NULL
      AND g.unchecked @? '$[*] ? (@.nextTryAt != null && @.tries == 0)')`;

async function write(db: Db, watchId: string, day: string, asked: SummaryAsked) {
  return db.transaction(async (sql) => {
    if ((await sql.write(TAKE_DAY, [watchId, day, asked.to])) === 0) return false;
    await sql.write(ADD, [watchId, day, jsonOf(asked), asked.to]);
    return true;
  });
}

const TAKE_DAY = `
  UPDATE watches SET last_summary_day = $2, summed_to = $3
  WHERE id = $1 AND ended_at IS NULL AND (last_summary_day IS NULL OR last_summary_day < $2)`;

const ADD = `INSERT INTO messages (watch_id, kind, subject, content, created_at) VALUES ($1, 'summary', $2, $3::jsonb, $4)`;
