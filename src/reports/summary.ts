import { addMilliseconds, max, min, startOfMinute, subMilliseconds } from 'date-fns';
import { and, gte, inArray, not, sql } from 'drizzle-orm';
import { z } from 'zod';
import { incidentsSince } from '../alerts/preview.ts';
import { forWatch, shutOutOfChannel } from '../alerts/watch-end.ts';
import { environments as environmentRows } from '../coverage/tables.ts';
import { isCovered, spelledFilter } from '../incidents/filter-conditions.ts';
import { compareIncidents, type IncidentNow } from '../incidents/incident.ts';
import { incidentsInOrder } from '../incidents/incidents-now.ts';
import { countOpen, type OpenCount } from '../incidents/open-incidents.ts';
import type { FailureFilter } from '../judging/filter.ts';
import type { Environment } from '../lib/environment.ts';
import { inTurn } from '../lib/in-turn.ts';
import type { Loop } from '../lib/loop.ts';
import { fingerprintOf } from '../lib/text/hash.ts';
import { stored } from '../lib/text/shown-id.ts';
import { MINUTE_MS, type TimeRange } from '../lib/time/durations.ts';
import { lastWallClock } from '../lib/time/wall-clock.ts';
import { eventsIn } from '../lookups/checked.ts';
import { coverageIn } from '../lookups/coverage.ts';
import type { MessageKind } from '../outbox/kinds.ts';
import { enqueue } from '../outbox/messages.ts';
import { StoredTime } from '../store/columns.ts';
import { CountRow, type Ctx, type Db, onlyRow } from '../store/db.ts';
import { isAbout } from '../watches/covers.ts';
import { type ListedMute, listedMutes } from '../watches/listed-mutes.ts';
import type { Watch } from '../watches/settings.ts';
import { updateWatch, watchesIn } from '../watches/watches.ts';

export const Summarized = z.object({ from: StoredTime, to: StoredTime, environments: z.array(z.string()) });

/** A summary waits for what isn't checked yet. By then, the service can't be read, which the summary says. */
const LONGEST_WAIT_MS = 10 * MINUTE_MS;

interface SummaryCtx extends Ctx {
  environments: readonly Environment[];
  wakeOutbox: () => Promise<void>;
}

const SUMMARY = 'summary';
export const WEEKLY = 'weekly';

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
        if (checkedTo === null && now < addMilliseconds(max([startedAt, due]), LONGEST_WAIT_MS)) return;
        const to = startOfMinute(min([now, checkedTo ?? now]));
        const isWeekly = watch.settings.summaryDay !== null;
        const range = isWeekly ? weekBefore(watch, due) : { from: watch.summedTo ?? watch.createdAt, to };
        await db.transaction(async (tx) => {
          const content = stored({ ...range, environments });
          const { id: owner, channel } = watch;
          const message = { kind: isWeekly ? WEEKLY : SUMMARY, owner, channel, subject: due.toISOString(), content };
          const id = await enqueue(tx, { ...message, createdAt: to });
          if (id !== null) await updateWatch(tx, watch.id, { summedTo: to });
        });
        await ctx.wakeOutbox();
      },
      ({ id: watchId, channel }, err) =>
        logger.error({ watchId, channel, err }, "A summary couldn't be written, trying again"),
    );
  };
}

/** After missed days or weeks only the last summary is due. */
function summaryDue({ settings, createdAt, summedTo }: Watch, now: Date) {
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

async function allCheckedTo(db: Db, names: readonly string[], at: Date) {
  const { environment, checkedTo } = environmentRows;
  const isToBeRead = sql`EXISTS (
    SELECT FROM gaps g WHERE g.environment = ${environment} AND g.closed_at IS NULL
      AND g.unchecked @? '$[*] ? (@.nextTryAt != null && @.tries == 0)')`;
  const isChecked = and(inArray(environment, [...names]), gte(checkedTo, at), not(isToBeRead));
  const checked = await db.select({ checkedTo }).from(environmentRows).where(isChecked);
  return checked.length < names.length || names.length === 0 ? null : min(checked.map((row) => row.checkedTo));
}

/** A day of one environment, as far as the watch covers it. */
export interface EnvironmentSummary {
  environment: string;
  missing: readonly TimeRange[];
  eventsChecked: number;
  unreadable: number;
  failedEvents: number;
  open: OpenCount;
  resolved: number;
  largest: readonly IncidentNow[];
}

export interface SummaryContent {
  kind: 'summary';
  id: string;
  channel: string;
  range: TimeRange;
  filter: FailureFilter;
  environments: readonly EnvironmentSummary[];
  mutes: readonly ListedMute[];
}

const MOST_LARGEST = 5;

/** A watch's daily summary. */
export function createSummaryKind(now: () => Date): MessageKind<SummaryContent> {
  return {
    Kept: Summarized,
    mustArrive: false,
    async draw(db, message) {
      return forWatch(db, message.owner, async (watch) => {
        const { id, channel, state } = message;
        if (state !== 'posted' && channel !== watch.channel) return { is: 'moved', channel: watch.channel };
        const { environments: names, ...range } = Summarized.parse(message.content);
        const environments: EnvironmentSummary[] = [];
        for (const environment of names)
          environments.push(await summaryOf(db, watch, { environment, ...range }, now()));
        const mutes = (await listedMutes(db, names, now())).filter((mute) => mute.channel === watch.channel);
        const { filter } = watch.settings;
        const content: SummaryContent = { kind: SUMMARY, id, channel, range, filter, environments, mutes };
        const knownBy = fingerprintOf(SUMMARY, message.owner, message.subject);
        return { is: 'drawn', content, said: [], knownBy, nextAt: null };
      });
    },
    shutOut: shutOutOfChannel,
  };
}

async function summaryOf(
  db: Db,
  watch: Watch,
  range: TimeRange & { environment: string },
  now: Date,
): Promise<EnvironmentSummary> {
  const { filter } = watch.settings;
  const { environment, from, to } = range;
  const spelled = await spelledFilter(db, environment, filter);
  // Failures count when recorded, so that a late one is in the next summary.
  const failed = await db.rows(
    CountRow,
    sql`
      SELECT count(DISTINCT f.event_key)
      FROM failures f
      JOIN incidents i ON i.id = f.incident_id
      WHERE f.environment = ${environment}
        AND f.recorded_at >= ${from}
        AND f.recorded_at < ${to}
        AND i.verdict_class = 'announced'
        AND ${isCovered(spelled)}`,
  );
  const covered = await incidentsSince(db, environment, filter, from);
  const open = covered.filter(({ state }) => state !== 'resolved');
  const largest = covered.toSorted(compareIncidents).slice(0, MOST_LARGEST);
  return {
    environment,
    missing: (await coverageIn(db, environment, range)).missing,
    ...(await eventsIn(db, environment, { range, coverage: { from, to: subMilliseconds(to, 1) } })),
    failedEvents: onlyRow(failed).count,
    open: countOpen(open),
    resolved: covered.length - open.length,
    largest: await incidentsInOrder(db, largest, now, filter),
  };
}
