import { min, startOfMinute } from 'date-fns';
import { and, eq, gte, inArray, isNull, lt, not, or, sql } from 'drizzle-orm';
import type { Logger } from '../domain/logger.ts';
import { MINUTE_MS } from '../domain/time/durations.ts';
import { lastWallClock } from '../domain/time/wall-clock.ts';
import type { Db } from '../store/db.ts';
import * as tables from '../store/schema.ts';
import { isAbout, type Watch } from '../watches/settings.ts';
import { watches } from '../watches/watches.ts';
import type { Summarised } from './summary.ts';

export interface SummariseCtx {
  readonly db: Db;
  readonly environments: readonly string[];
  readonly logger: Logger;
  readonly now: () => Date;
}

/** After a downtime the first poll takes seconds, and catching up on the night takes minutes. */
const LONGEST_WAIT_MS = 10 * MINUTE_MS;

/** Writes the daily summaries that are due, each once over all replicas; waits for environments that are still being read. */
export function createSummariser(ctx: SummariseCtx): (signal: AbortSignal) => Promise<number> {
  const { db, environments, logger, now } = ctx;
  const waitingSince = new Map<string, Date>();
  return async (signal) => {
    let written = 0;
    for (const watch of await watches(db)) {
      if (signal.aborted) break;
      const due = summaryDue(watch, watch.lastSummaryDay, now());
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
      waitingSince.delete(key);
      const range = { from: watch.summedTo ?? watch.createdAt, to };
      if (!(await write(db, watch.id, due.day, { ...range, environments: about }))) continue;
      logger.info({ watchId: watch.id, channel: watch.channel, day: due.day }, 'daily summary written');
      written += 1;
    }
    return written;
  };
}

/** Of missed days only the last is made up for; a watch made after that time of day waits for the next day. */
function summaryDue({ settings: { summaryAt, timeZone }, createdAt }: Watch, lastDay: string | null, now: Date) {
  if (summaryAt === null) return null;
  const { day, at } = lastWallClock(summaryAt, timeZone, now);
  return at <= createdAt || (lastDay !== null && day <= lastDay) ? null : { day, at };
}

/** How far all of them are checked; null if that isn't up to `at`. A gap that was never tried is about to be read. */
async function wholeCheckOf(db: Db, names: readonly string[], at: Date): Promise<Date | null> {
  const { environment, checkedTo } = tables.environments;
  const isToBeRead = sql`EXISTS (
    SELECT FROM gaps g WHERE g.environment = ${environment} AND g.closed_at IS NULL
      AND g.unchecked @? '$[*] ? (@.nextTryAt != null && @.tries == 0)')`;
  const isChecked = and(inArray(environment, [...names]), gte(checkedTo, at), not(isToBeRead));
  const checked = await db.select({ checkedTo }).from(tables.environments).where(isChecked);
  return checked.length < names.length || names.length === 0 ? null : min(checked.map((row) => row.checkedTo));
}

async function write(db: Db, watchId: string, subject: string, content: Summarised): Promise<boolean> {
  return db.transaction(async (tx) => {
    const { endedAt, id, lastSummaryDay } = tables.watches;
    const isNext = and(eq(id, watchId), isNull(endedAt), or(isNull(lastSummaryDay), lt(lastSummaryDay, subject)));
    const summed = { lastSummaryDay: subject, summedTo: content.to };
    const taken = await tx.update(tables.watches).set(summed).where(isNext).returning({ id });
    if (taken.length === 0) return false;
    const about = { watchId, kind: 'summary', subject } as const;
    await tx.insert(tables.messages).values({ ...about, content, createdAt: content.to });
    return true;
  });
}
