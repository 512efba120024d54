import { addMilliseconds, max, min, startOfMinute, subMilliseconds } from 'date-fns';
import { and, gte, inArray, not, sql } from 'drizzle-orm';
import { environments as environmentRows } from '../coverage/tables.ts';
import type { Environment } from '../lib/environment.ts';
import { inTurn } from '../lib/in-turn.ts';
import type { Loop } from '../lib/loop.ts';
import { stored } from '../lib/text/shown-id.ts';
import { MINUTE_MS, type TimeRange } from '../lib/time/durations.ts';
import { lastWallClock } from '../lib/time/wall-clock.ts';
import { enqueue } from '../outbox/messages.ts';
import type { Ctx, Db } from '../store/db.ts';
import { isAbout } from '../watches/covers.ts';
import type { Watch } from '../watches/settings.ts';
import { updateWatch, watchesIn } from '../watches/watches.ts';
import { SUMMARY } from './summary.ts';
import { WEEKLY } from './weekly.ts';

/** So long after its time, a summary waits until all of that is checked. What isn't by then, the summary names as not checked. */
const LONGEST_WAIT_MS = 10 * MINUTE_MS;

interface SummaryCtx extends Ctx {
  environments: readonly Environment[];
  wakeOutbox: () => Promise<void>;
}

/** Writes the daily and weekly summaries that are due into the outbox. */
export function createSummarizer(ctx: SummaryCtx): Loop['run'] {
  const { db, logger } = ctx;
  const startedAt = ctx.now();
  const names = ctx.environments.map(({ name }) => name);
  return async (signal) => {
    const now = ctx.now();
    await inTurn(
      await watchesIn(db),
      async (watch) => {
        const due = summaryDue(watch, now);
        if (due === null || signal.aborted) return;
        const environments = names.filter((environment) => isAbout(watch.settings.filter, environment));
        const checkedTo = await allCheckedTo(db, environments, due);
        const waitsUntil = addMilliseconds(max([startedAt, due]), LONGEST_WAIT_MS);
        if (checkedTo === null && now < waitsUntil) return;
        const to = startOfMinute(min([now, checkedTo ?? now]));
        await writeSummary(db, watch, environments, { due, to });
        await ctx.wakeOutbox();
      },
      ({ id: watchId, channel }, err) =>
        logger.error({ watchId, channel, err }, "A summary couldn't be written, trying again"),
    );
  };
}

/** A daily summary is of the time up to `to`, at which the next begins; a weekly one is of the whole week before it was due. */
async function writeSummary(
  db: Db,
  watch: Watch,
  environments: readonly string[],
  { due, to }: { due: Date; to: Date },
): Promise<void> {
  const isWeekly = watch.settings.summaryDay !== null;
  const range = isWeekly ? weekBefore(watch, due) : { from: watch.summedTo ?? watch.createdAt, to };
  await db.transaction(async (tx) => {
    const id = await enqueue(tx, {
      kind: isWeekly ? WEEKLY : SUMMARY,
      owner: watch.id,
      channel: watch.channel,
      subject: due.toISOString(),
      content: stored({ ...range, environments }),
      createdAt: to,
    });
    if (id !== null) await updateWatch(tx, watch.id, { summedTo: to });
  });
}

/** After missed days or weeks only the last summary is due. */
function summaryDue({ settings, createdAt, summedTo }: Watch, now: Date): Date | null {
  const { summaryAt, summaryDay, timeZone } = settings;
  if (summaryAt === null) return null;
  const last = lastWallClock(summaryAt, timeZone, now, summaryDay === null ? [] : [summaryDay]);
  return last <= (summedTo ?? createdAt) ? null : last;
}

/** By the wall clock: a week with a change of the clock isn't seven times 24 hours. */
function weekBefore({ settings }: Watch, due: Date): TimeRange {
  const { summaryAt, summaryDay, timeZone } = settings;
  const days = summaryDay === null ? [] : [summaryDay];
  return { from: lastWallClock(summaryAt ?? 0, timeZone, subMilliseconds(due, 1), days), to: due };
}

/**
 * Returns up to when all of the environments are checked; null: some aren't up to `at`. A part of a gap that was tried in vain, or
 * given up, isn't waited for.
 */
async function allCheckedTo(db: Db, names: readonly string[], at: Date): Promise<Date | null> {
  const { environment, checkedTo } = environmentRows;
  const isGapUntried = sql`EXISTS (
    SELECT FROM gaps g WHERE g.environment = ${environment} AND g.closed_at IS NULL
      AND g.unchecked @? '$[*] ? (@.nextTryAt != null && @.tries == 0)')`;
  const isChecked = and(inArray(environment, [...names]), gte(checkedTo, at), not(isGapUntried));
  const checked = await db.select({ checkedTo }).from(environmentRows).where(isChecked);
  return checked.length < names.length || names.length === 0 ? null : min(checked.map((row) => row.checkedTo));
}
