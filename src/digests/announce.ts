import { addMilliseconds, differenceInMilliseconds, max, subMilliseconds } from 'date-fns';
import { and, desc, eq, gt, isNull, lte, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { filterConditions, filterValues } from '../failures/filter-conditions.ts';
import { attemptsOf, shareWindow } from '../incidents/counts.ts';
import { settleIncidents } from '../incidents/settle.ts';
import type { Ctx } from '../lib/ctx.ts';
import { type Environment, sharingWith } from '../lib/environment.ts';
import { inTurn, throwIfAny } from '../lib/in-turn.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { Count, type Db, jsonOf } from '../store/db.ts';
import { environments, messages } from '../store/schema.ts';
import { maySpeak, type WatchMute } from '../watches/running-mutes.ts';
import { isAbout, type Watch, type WatchFilter } from '../watches/settings.ts';
import { lockedWatch, watches } from '../watches/watches.ts';
import { type Covered, coveredOf, lastToldOf, type News, newsFor, putAlerts, toldNow } from './alerts.ts';
import { type AlertReason, type Candidate, decide, isSingle, mayBecomeMessage } from './decide.ts';
import { createNoNews, type NoNews } from './no-news.ts';
import { announceNotices } from './notices.ts';
import { reachedIn } from './threshold.ts';

export interface AnnounceAllCtx extends Ctx {
  environments: readonly Environment[];
  polls: { isRecording: (environment: string) => boolean };
  pollMs: number;
}

/** The ends of mutes and quiet hours don't wait for a poll that comes seldom. */
export function announceEveryMs(pollMs: number): number {
  return Math.min(pollMs, MINUTE_MS);
}

/** Polls may follow one another without a pause. */
const LONGEST_WAIT_MS = 10_000;

export function createAnnouncing(ctx: AnnounceAllCtx): (signal: AbortSignal) => Promise<void> {
  const { db, environments, polls, logger, now, pollMs } = ctx;
  const noNews = createNoNews();
  const waitsSince = new Map<string, Date>();
  return async (signal) => {
    const errors = await inTurn(
      await dueForAnnouncing(db, subMilliseconds(now(), announceEveryMs(pollMs))),
      async (due) => {
        const { environment } = due;
        const configured = environments.find(({ name }) => name === environment);
        if (configured === undefined || signal.aborted) return;
        const since = waitsSince.get(environment) ?? now();
        const isLong = differenceInMilliseconds(now(), since) >= LONGEST_WAIT_MS;
        if (polls.isRecording(environment) && !isLong) return void waitsSince.set(environment, since);
        await announce(ctx, environment, sharingWith(configured, environments), noNews);
        waitsSince.delete(environment);
        await noteAnnounced(db, due, now());
      },
      ({ environment }, err) =>
        logger.error({ environment, err }, "Alerts couldn't be written, trying again within a minute"),
    );
    throwIfAny(errors, "environments couldn't be told");
  };
}

export async function announce(
  ctx: Ctx,
  environment: string,
  sharing: readonly string[] = [],
  noNews: NoNews = createNoNews(),
): Promise<void> {
  const { db, logger } = ctx;
  const now = ctx.now();
  await db.write(SET_BACK, [now]);
  await settleIncidents(db, environment, now);
  const concerned = (await watches(db)).filter(({ settings }) => isAbout(settings.filter, environment));
  const errors = await inTurn(
    concerned,
    async (watch) => {
      const { news } = await newsFor(db, watch, environment, now);
      if (news.every((row) => noNews.has(watch, row))) return;
      const messageId = await db.transaction((tx) => announceTo(tx, watch.id, environment, noNews, now));
      if (messageId !== null) logger.info({ environment, watchId: watch.id, messageId }, 'Digest written');
    },
    ({ id: watchId }, err) =>
      logger.error({ environment, watchId, err }, "Watch couldn't be told, trying again within a minute"),
  );
  await announceNotices(ctx, concerned, environment, sharing);
  throwIfAny(errors, "watches couldn't be told");
}

async function announceTo(
  tx: Db,
  watchId: string,
  environment: string,
  noNews: NoNews,
  now: Date,
): Promise<string | null> {
  const watch = await lockedWatch(tx, watchId);
  if (watch === null) return null;
  const { news, mutes, since } = await newsFor(tx, watch, environment, now);
  if (!maySpeak(watch, mutes, now)) return null;
  const mayBeNews = news.filter((row) => !noNews.has(watch, row));
  const candidates = await candidatesIn(tx, watch, environment, { news: mayBeNews, mutes, since }, now);
  const ids = new Set(candidates.map(({ incident }) => incident.id));
  noNews.note(
    watch,
    environment,
    news.filter(({ id }) => !ids.has(id)),
  );
  const { lastRungAt, lastAlertAt } = await lastToldOf(tx, watchId, environment);
  const tellings = candidates.flatMap((row): Telling[] => {
    const reason = decide(row, watch.settings.everyMs, lastRungAt, now);
    return reason === null ? [] : [{ ...row, reason }];
  });
  if (tellings.length === 0 || !mayBecomeMessage(tellings, lastAlertAt, now)) return null;
  return write(tx, watchId, environment, tellings, now);
}

interface IncidentCandidate extends Candidate {
  incident: Covered;
}

type Telling = IncidentCandidate & { reason: AlertReason };

async function candidatesIn(
  tx: Db,
  watch: Watch,
  environment: string,
  { news, mutes, since }: Awaited<ReturnType<typeof newsFor>>,
  now: Date,
): Promise<IncidentCandidate[]> {
  const { filter } = watch.settings;
  const covered = (await coveredOf(tx, filter, environment, news)).filter(
    ({ counts }) => counts === null || counts.recordedAt > watch.tellsFrom,
  );
  const untold = covered.filter(({ last }) => last === null).map(({ id }) => id);
  const reached = await reachedIn(tx, environment, untold, watch.settings, since);
  const tellable = covered.filter(({ id, last }) => last !== null || reached.has(id));
  const singles = tellable.filter((incident) => isSingle(incident));
  const windows = singles.map((incident) => shareWindow(incident, now));
  const attempts = await attemptsOf(tx, windows);
  const missed = await missedIn(tx, environment, filter, tellable, mutes);
  return tellable.map((incident) => {
    const { id, state, last, isGone } = incident;
    const { matched, critical, relapses } = toldNow(incident);
    return {
      ...{ incident, state, matched, critical, relapses },
      isSingle: isSingle(incident, attempts.get(id)?.total),
      lastAlert: last && { ...last, isGone },
      isMuted: mutes.some(({ incidentId, until }) => incidentId === id && until > now),
      missed: missed.get(id) ?? 0,
    };
  });
}

async function missedIn(
  tx: Db,
  environment: string,
  filter: WatchFilter,
  news: readonly News[],
  mutes: readonly WatchMute[],
): Promise<ReadonlyMap<number, number>> {
  const ranges = news.flatMap(({ id, last }) =>
    mutes
      .filter(({ incidentId }) => (incidentId ?? id) === id)
      .map(({ from, until }) => ({ id, seq: last?.seq ?? 0, from, until })),
  );
  if (ranges.length === 0) return new Map();
  const spelled = await filterValues(tx, environment, filter);
  const rows = await tx.rows(MissedRow, MISSED, [jsonOf(ranges), ...spelled]);
  return new Map(rows.map(({ id, missed }) => [id, missed]));
}

const MissedRow = z.object({ id: Count, missed: Count });

const MISSED = `
  SELECT i.id, count(DISTINCT f.seq) AS missed
  FROM jsonb_to_recordset($1::jsonb) AS mute (id bigint, seq bigint, "from" timestamptz, until timestamptz)
  JOIN incidents i ON i.id = mute.id JOIN failures f ON f.incident_id = i.id AND f.seq > mute.seq
  WHERE f.recorded_at >= mute."from" AND f.recorded_at < mute.until AND ${filterConditions(2)} GROUP BY 1`;

/** It joins a message not yet begun, so that there is one when Slack is back. */
async function write(tx: Db, watchId: string, environment: string, tellings: readonly Telling[], now: Date) {
  const { begunAt, createdAt, id, kind, state, unresolvedSince } = messages;
  const isIts = and(eq(messages.watchId, watchId), eq(messages.environment, environment), eq(kind, 'digest'));
  const isWaiting = and(isIts, eq(state, 'waiting'), isNull(begunAt), isNull(unresolvedSince));
  const waiting = tx.select({ id }).from(messages).where(isWaiting).orderBy(desc(createdAt)).limit(1);
  const newest = eq(id, waiting.for('update', { skipLocked: true }));
  const joined = await tx.update(messages).set({ nextAt: null }).where(newest).returning({ id });
  const added = { watchId, environment, kind: 'digest', createdAt: now } as const;
  const [message] = joined.length > 0 ? joined : await tx.insert(messages).values(added).returning({ id });
  if (message === undefined) throw new Error('a digest was not written');
  const alerts = tellings.map(({ incident, missed, reason }) => {
    return {
      incidentId: incident.id,
      reason,
      at: max([now, addMilliseconds(incident.last?.at ?? 0, 1)]),
      ...toldNow(incident),
      missed: missed || null,
    };
  });
  await putAlerts(tx, message.id, watchId, alerts);
  return message.id;
}

/** A clock that was set back silences no watch, and what was recorded since then is told. Replicas' clocks differ by less. */
const SET_BACK = `
  UPDATE watches SET tells_from = $1::timestamptz - interval '5 minutes' WHERE tells_from > $1::timestamptz + interval '5 minutes'`;

type DueEnvironment = Pick<typeof environments.$inferSelect, 'environment' | 'news'>;

function dueForAnnouncing(db: Db, notSince: Date): Promise<DueEnvironment[]> {
  const { environment, news, announcedNews, announcedAt } = environments;
  return db
    .select({ environment, news })
    .from(environments)
    .where(or(gt(news, announcedNews), isNull(announcedAt), lte(announcedAt, notSince)))
    .orderBy(sql`${announcedAt} NULLS FIRST`, environment);
}

async function noteAnnounced(db: Db, { environment, news }: DueEnvironment, announcedAt: Date): Promise<void> {
  const announcedNews = sql`GREATEST(announced_news, ${news})`;
  await db.update(environments).set({ announcedAt, announcedNews }).where(eq(environments.environment, environment));
}
