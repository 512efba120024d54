import { addMilliseconds, max, min, startOfMinute, subMilliseconds } from 'date-fns';
import { and, gte, inArray, not, sql } from 'drizzle-orm';
import { z } from 'zod';
import { environments as environmentRows } from '../coverage/tables.ts';
import type { FailureFilter } from '../failures/filter.ts';
import { filterConditions, filterValues } from '../incidents/filter-conditions.ts';
import { compareIncidents } from '../incidents/incident.ts';
import { incidentsInOrder } from '../incidents/incidents-now.ts';
import { countOpen } from '../incidents/lists.ts';
import type { Environment } from '../lib/environment.ts';
import { inTurn } from '../lib/in-turn.ts';
import type { Loop } from '../lib/loop.ts';
import { stored } from '../lib/text/shown-id.ts';
import { MINUTE_MS, type TimeRange } from '../lib/time/durations.ts';
import { lastWallClock } from '../lib/time/wall-clock.ts';
import { coverageIn } from '../lookups/coverage.ts';
import { eventsIn } from '../lookups/failures.ts';
import { type ActCtx, enqueue } from '../outbox/messages.ts';
import { StoredTime } from '../store/columns.ts';
import { CountRow, type Db, onlyRow } from '../store/db.ts';
import { listedMutes } from '../watches/mutes.ts';
import { isAbout, type Watch } from '../watches/settings.ts';
import { updateWatch, watchesIn } from '../watches/watches.ts';
import { incidentsSince } from './preview.ts';

export const Summarized = z.object({ from: StoredTime, to: StoredTime, environments: z.array(z.string()) });
type Summarized = z.output<typeof Summarized>;

const LONGEST_WAIT_MS = 10 * MINUTE_MS;

export function createSummarizer(ctx: ActCtx & { environments: readonly Environment[] }): Loop['run'] {
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
        if (checkedTo === null && now < addMilliseconds(max([startedAt, due]), LONGEST_WAIT_MS)) return;
        const range = { from: watch.summedTo ?? watch.createdAt, to: startOfMinute(min([now, checkedTo ?? now])) };
        await db.transaction(async (tx) => {
          const content = stored({ ...range, environments });
          const message = { watchId: watch.id, kind: 'summary', subject: due.toISOString(), content } as const;
          const id = await enqueue(tx, { ...message, createdAt: range.to });
          if (id !== null) await updateWatch(tx, watch.id, { summedTo: range.to });
        });
        await ctx.wakeDelivery();
      },
      ({ id: watchId, channel }, err) =>
        logger.error({ watchId, channel, err }, "Daily summary couldn't be written, trying again"),
    );
  };
}

/** After missed days only the last summary is due. */
function summaryDue({ settings, createdAt, summedTo }: Watch, now: Date) {
  const { summaryAt, timeZone } = settings;
  if (summaryAt === null) return null;
  const last = lastWallClock(summaryAt, timeZone, now);
  return last <= (summedTo ?? createdAt) ? null : last;
}

async function allCheckedTo(db: Db, names: readonly string[], at: Date) {
  const { environment, checkedTo } = environmentRows;
  const isToBeRead = sql`EXISTS (
    SELECT FROM gaps g WHERE g.environment = ${environment} AND g.closed_at IS NULL
      AND g.unchecked @? '$[*] ? (@.nextTryAt != null && @.tries == 0)')`;
  const isChecked = and(inArray(environment, [...names]), gte(checkedTo, at), not(isToBeRead));
  const checked = await db.select({ checkedTo }).from(environmentRows).where(isChecked);
  return checked.length < names.length || names.length === 0 ? null : min(checked.map((row) => row.checkedTo));
}

export type EnvironmentSummary = Awaited<ReturnType<typeof summaryOf>>;

const MOST_LARGEST = 5;

export async function summaryContent(db: Db, watch: Watch, { environments: names, ...range }: Summarized, now: Date) {
  const environments: readonly EnvironmentSummary[] = await Promise.all(
    names.map((environment) => summaryOf(db, watch, { environment, ...range }, now)),
  );
  const filter: FailureFilter = watch.settings.filter;
  const mutes = (await listedMutes(db, names, now)).filter(({ channel }) => channel === watch.channel);
  return { kind: 'summary' as const, range, filter, environments, mutes };
}

async function summaryOf(db: Db, watch: Watch, range: TimeRange & { environment: string }, now: Date) {
  const { filter } = watch.settings;
  const { environment, from, to } = range;
  const spelled = await filterValues(db, environment, filter);
  const failed = onlyRow(await db.rows(CountRow, FAILED, [environment, from, to, ...spelled]));
  const covered = await incidentsSince(db, environment, filter, from);
  const open = covered.filter(({ state }) => state !== 'resolved');
  const largest = covered.toSorted(compareIncidents).slice(0, MOST_LARGEST);
  return {
    environment,
    missing: (await coverageIn(db, environment, range)).missing,
    ...(await eventsIn(db, environment, { range, coverage: { from, to: subMilliseconds(to, 1) } })),
    failedEvents: failed.count,
    open: countOpen(open),
    resolved: covered.length - open.length,
    largest: await incidentsInOrder(db, largest, now, { watchId: watch.id, filter }),
  };
}

/** Failures count when recorded, so that a late one is in the next summary. */
const FAILED = `
  SELECT count(DISTINCT f.event_key) FROM failures f JOIN incidents i ON i.id = f.incident_id
  WHERE f.environment = $1 AND f.recorded_at >= $2 AND f.recorded_at < $3 AND i.announcement = 'announced' AND ${filterConditions(4)}`;
