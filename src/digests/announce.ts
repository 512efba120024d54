import { subDays, subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { StoreTroubleError } from '../domain/health/store-trouble.ts';
import type { Logger } from '../domain/logger.ts';
import { attemptsOf } from '../incidents/attempts.ts';
import { SHARE_MS } from '../incidents/incident.ts';
import { coversAll, matchedIn, sumOf } from '../incidents/matched.ts';
import { IncidentRow } from '../incidents/rows.ts';
import { settleIncidents } from '../incidents/settle.ts';
import { asSpelled, filterConditions, filterValues } from '../lookups/filter-conditions.ts';
import { dueForAnnouncing, noteAnnounced } from '../polling/environments.ts';
import type { Db } from '../store/db.ts';
import { Count } from '../store/row.ts';
import { jsonOf } from '../store/values.ts';
import { mutesUntil, type RunningMute } from '../watches/mutes.ts';
import { failureFilterOf, isAbout, type Mention, mayCover, type Watch, type WatchFilter } from '../watches/settings.ts';
import { watches, watchWithId } from '../watches/watches.ts';
import {
  type Candidate,
  decide,
  GATHERED_MS,
  isSingle,
  isWithin,
  type LastAlert,
  REASONS,
  type Reason,
} from './decide.ts';
import { reachedIn } from './minutes.ts';
import { announceChanges, announceGaps, announceSilence } from './notices.ts';

export interface AnnounceCtx {
  readonly db: Db;
  readonly logger: Logger;
  readonly now: () => Date;
}

export interface AnnounceAllCtx extends AnnounceCtx {
  readonly environments: readonly string[];
  /** Announcing waits for a poll that records, so that what fails at once is one message; the poll wakes it when it ends. */
  readonly isRecording: (environment: string) => boolean;
  readonly pollMs: number;
}

/** If nothing is new, that costs one statement. An environment that fails stops no other; afterwards it fails the run. */
export async function announceAll(ctx: AnnounceAllCtx, signal: AbortSignal): Promise<void> {
  const { db, environments, isRecording, logger, now, pollMs } = ctx;
  const failed: string[] = [];
  for (const due of await dueForAnnouncing(db, subMilliseconds(now(), pollMs))) {
    const { environment } = due;
    if (signal.aborted) break;
    if (!environments.includes(environment) || isRecording(environment)) continue;
    try {
      await announce(ctx, environment);
      await noteAnnounced(db, due, now());
    } catch (err) {
      // That of one environment is that of all.
      if (err instanceof StoreTroubleError) throw err;
      logger.error({ environment, err }, 'alerts could not be written, trying again in the next poll interval');
      failed.push(environment);
    }
  }
  if (failed.length > 0) throw new Error(`alerts could not be written for ${failed.join(', ')}`);
}

/** Moves incidents on and writes what watches are to be told of an environment. Returns the IDs of the messages. */
export async function announce(ctx: AnnounceCtx, environment: string): Promise<string[]> {
  const { db, logger } = ctx;
  const now = ctx.now();
  await settleIncidents(db, environment, now);
  const concerned = (await watches(db)).filter(({ settings }) => isAbout(settings.filter, environment));
  const ids: string[] = [];
  for (const watch of concerned) {
    if ((await newsFor(db, watch, environment, now)).length === 0) continue;
    const id = await db.transaction((sql) => announceTo(sql, watch.id, environment, now));
    if (id === null) continue;
    ids.push(id);
    logger.info({ environment, watchId: watch.id, messageId: id }, 'digest written');
  }
  return [
    ...ids,
    ...(await announceGaps(ctx, concerned, environment)),
    ...(await announceSilence(ctx, concerned, environment)),
    ...(await announceChanges(ctx, concerned, environment)),
  ];
}

/** How long something waits to be told at most, such as in a mute. */
const NEWS_DAYS = 8;

const AlertColumns = z.object({
  told_at: z.date().nullable(),
  told_reason: z.enum(REASONS).nullable(),
  told_seq: Count.nullable(),
  told_matched: Count.nullable(),
  told_relapses: z.number().nullable(),
  told_critical: z.boolean().nullable(),
  is_gone: z.boolean().nullable(),
});
const News = IncidentRow.and(AlertColumns);
type News = z.output<typeof News>;

/** The incidents that have failed since a watch was last told of them. */
async function newsFor(sql: Db, watch: Watch, environment: string, now: Date): Promise<News[]> {
  const oldest = subDays(now, NEWS_DAYS);
  const rows = await sql.rows(News, NEWS, [watch.id, environment, watch.tellsFrom > oldest ? watch.tellsFrom : oldest]);
  return rows.filter((row) => mayCover(watch.settings.filter, row));
}

const NEWS = `
  SELECT i.*, a.at AS told_at, a.reason AS told_reason, a.seq AS told_seq, a.matched AS told_matched, a.relapses AS told_relapses,
    a.critical AS told_critical, m.state = 'gone' AS is_gone
  FROM incidents i
  LEFT JOIN LATERAL (SELECT * FROM alerts WHERE incident_id = i.id AND watch_id = $1 ORDER BY at DESC LIMIT 1) a ON true
  LEFT JOIN messages m ON m.id = a.message_id
  WHERE i.environment = $2 AND i.last_recorded_at > $3 AND i.recorded > coalesce(a.recorded, 0)
    AND i.announcement IN ('announced', 'warning') ORDER BY i.id`;

interface Judged {
  readonly news: News;
  readonly candidate: Candidate;
  readonly newestSeq: number;
}

/** Replicas take turns, so that none tells what another told. Returns the message's ID; null if there is nothing to tell now. */
async function announceTo(sql: Db, watchId: string, environment: string, now: Date): Promise<string | null> {
  const watch = await watchWithId(sql, watchId, 'FOR NO KEY UPDATE');
  if (watch === null) return null;
  const judged = await judge(sql, watch, environment, await newsFor(sql, watch, environment, now), now);
  const { toldAt, anyAt } = await lastToldOf(sql, watchId);
  const decided = judged.map((one) => ({ ...one, decision: decide(one.candidate, watch.settings, toldAt, now) }));
  const told = decided.flatMap((one) => (one.decision.is === 'tell' ? [{ ...one, reason: one.decision.reason }] : []));
  const gathered = decided
    .filter(({ decision }) => decision.is === 'gather')
    .map((one) => ({ ...one, reason: 'single' as const }));
  const isTime = told.length > 0 || !isWithin(GATHERED_MS, anyAt, now);
  const rows = isTime ? [...told, ...gathered] : [];
  return rows.length === 0 ? null : write(sql, watch, environment, rows, now);
}

const ToldRow = z.object({ told_at: z.date().nullable(), any_at: z.date().nullable() });

/** When a watch was last told of something that rings, and of anything. */
async function lastToldOf(sql: Db, watchId: string) {
  const last = `SELECT max(at) FILTER (WHERE reason <> 'single') AS told_at, max(at) AS any_at FROM alerts WHERE watch_id = $1`;
  const [row] = await sql.rows(ToldRow, last, [watchId]);
  return { toldAt: row?.told_at ?? null, anyAt: row?.any_at ?? null };
}

async function judge(sql: Db, watch: Watch, environment: string, news: readonly News[], now: Date): Promise<Judged[]> {
  const { filter } = watch.settings;
  const isWhole = coversAll(filter);
  const after = news.map(({ id, told_seq, startedSeq }) => ({ id, afterSeq: Math.max(told_seq ?? 0, startedSeq) }));
  const matched = isWhole ? null : await matchedIn(sql, environment, after, filter);
  const covered = news.filter(
    ({ id }) => matched === null || (sumOf(matched.get(id) ?? [])?.recordedAt ?? 0) > watch.tellsFrom,
  );
  const first = covered.filter(({ told_at }) => told_at === null).map(({ id }) => id);
  const reached = await reachedIn(sql, environment, first, watch.settings);
  const tried = await triedBySingles(sql, covered, now);
  const mutes = await mutesUntil(sql, watch.id, subDays(now, NEWS_DAYS));
  const judged: Judged[] = [];
  for (const row of covered) {
    const own = matched === null ? undefined : sumOf(matched.get(row.id) ?? []);
    const isSameOutbreak = row.told_relapses === row.relapses;
    const its = mutes.filter(({ incidentId }) => incidentId === null || incidentId === row.id);
    judged.push({
      news: row,
      newestSeq: own?.newestSeq ?? row.newestSeq,
      candidate: {
        state: row.state,
        relapses: row.relapses,
        matched: own === undefined ? row.failures : own.failures + (isSameOutbreak ? (row.told_matched ?? 0) : 0),
        critical: own?.critical ?? row.critical,
        isSingle: isSingle(row, tried.get(row.id)?.total ?? { failed: 0, tried: 0 }),
        lastAlert: lastAlertOf(row),
        mutedUntil: its.find(({ until }) => until > now)?.until ?? null,
        missed: await missedIn(sql, row, its, filter, now),
        isReached: reached.has(row.id) || row.told_at !== null,
      },
    });
  }
  return judged;
}

/** Only what may be a single's trouble is asked for its share. */
function triedBySingles(sql: Db, news: readonly News[], now: Date) {
  const window = { from: new Date(now.getTime() - SHARE_MS), to: now };
  const singles = news.filter((row) => isSingle(row, { failed: 0, tried: 0 }));
  return attemptsOf(
    sql,
    singles.map(({ id, environment, channel, provider }) => ({ id, environment, channel, provider, ...window })),
  );
}

function lastAlertOf(row: News): LastAlert | null {
  const { told_at: at, told_reason: reason, told_matched, told_relapses, told_critical, is_gone } = row;
  if (at === null || reason === null) return null;
  return {
    ...{ at, reason, isGone: is_gone ?? false },
    ...{ matched: told_matched ?? 0, relapses: told_relapses ?? 0, critical: told_critical ?? false },
  };
}

const CountRow = z.object({ count: Count });

/** What mutes that are over withheld of an incident since the watch was last told of it. */
async function missedIn(
  sql: Db,
  { id, environment, told_seq, told_at }: News,
  mutes: readonly RunningMute[],
  filter: WatchFilter,
  now: Date,
) {
  const over = mutes.filter(({ until }) => until <= now && (told_at === null || until > told_at));
  if (over.length === 0) return 0;
  const ranges = over.map(({ from, until }) => ({ from, until }));
  const covered = filterValues(await asSpelled(sql, environment, failureFilterOf(filter)));
  return (await sql.rows(CountRow, MISSED, [id, told_seq ?? 0, jsonOf(ranges), ...covered]))[0]?.count ?? 0;
}

const MISSED = `
  SELECT count(*) FROM incidents i JOIN failures f ON f.incident_id = i.id
  WHERE i.id = $1 AND f.seq > $2 AND ${filterConditions(4)} AND EXISTS (
    SELECT FROM jsonb_to_recordset($3::jsonb) AS mute ("from" timestamptz, until timestamptz)
    WHERE f.recorded_at >= mute."from" AND f.recorded_at < mute.until)`;

type Row = Judged & { readonly reason: Reason };

/** It joins a message that nobody has begun to post, so that there is one when Slack is back. */
async function write(sql: Db, { id: watchId, settings }: Watch, environment: string, rows: readonly Row[], now: Date) {
  const isForSomebody = rows.some(
    ({ news, reason }) => reason !== 'single' && news.state === 'firing' && news.acknowledgedBy === null,
  );
  const mention: Mention | null = isForSomebody ? settings.mention : null;
  const values = [watchId, environment, mention && jsonOf(mention)];
  const [message] = await sql.rows(IdRow, JOIN, values);
  const [added] = message === undefined ? await sql.rows(IdRow, ADD, [...values, now]) : [message];
  if (added === undefined) throw new Error('a digest was not written');
  const alerts = rows.map(({ news, candidate, newestSeq: seq, reason }) => {
    const { matched, critical, missed } = candidate;
    const { id, recorded, relapses } = news;
    return { id, reason, recorded, seq, matched, relapses, critical, missed: missed > 0 ? missed : null };
  });
  await sql.write(ALERT, [added.id, watchId, now, jsonOf(alerts)]);
  return added.id;
}

const IdRow = z.object({ id: z.string() });

const JOIN = `
  UPDATE messages SET content = CASE WHEN $3::jsonb IS NULL THEN content ELSE jsonb_build_object('mention', $3::jsonb) END, next_at = NULL
  WHERE id = (
    SELECT id FROM messages WHERE watch_id = $1 AND environment = $2 AND kind = 'digest' AND state = 'waiting' AND begun_at IS NULL
      AND unresolved_since IS NULL ORDER BY created_at DESC LIMIT 1 FOR UPDATE SKIP LOCKED
  ) RETURNING id`;

const ADD = `
  INSERT INTO messages (watch_id, kind, environment, content, created_at)
  VALUES ($1, 'digest', $2, jsonb_build_object('mention', $3::jsonb), $4) RETURNING id`;

/** What is recorded meanwhile is news to the next one. What the waiting message tells of already keeps its reason. */
const ALERT = `
  INSERT INTO alerts AS a (message_id, incident_id, watch_id, reason, at, recorded, seq, matched, relapses, critical, missed)
  SELECT $1, item.id, $2, item.reason, $3, item.recorded, item.seq, item.matched, item.relapses, item.critical, item.missed
  FROM jsonb_to_recordset($4::jsonb) AS item (id bigint, reason text, recorded bigint, seq bigint, matched bigint, relapses integer,
    critical boolean, missed bigint)
  WHERE true
  ON CONFLICT (message_id, incident_id) DO UPDATE SET at = EXCLUDED.at, recorded = EXCLUDED.recorded, seq = EXCLUDED.seq,
    matched = EXCLUDED.matched, relapses = EXCLUDED.relapses, critical = EXCLUDED.critical, missed = coalesce(EXCLUDED.missed, a.missed),
    reason = CASE WHEN a.reason = 'single' THEN EXCLUDED.reason ELSE a.reason END`;
