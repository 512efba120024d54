import { isDeepStrictEqual } from 'node:util';
import { min, subDays, subMilliseconds } from 'date-fns';
import { desc, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { environments } from '../coverage/tables.ts';
import { TRACKED } from '../failures/judge.ts';
import { countAttempts, type Matched, matchedIn, SHARE_MS, shareWindow } from '../incidents/counts.ts';
import { filterConditions, filterValues } from '../incidents/filter-conditions.ts';
import type { IncidentRow } from '../incidents/incident.ts';
import { incidents } from '../incidents/tables.ts';
import type { ReadState } from '../lib/time/service-clock.ts';
import { type ClaimedPost, PENDING_DAYS, SILENCED } from '../outbox/claims.ts';
import { countAlertsAgain, dropPosted, noteMention, putAlerts } from '../outbox/messages.ts';
import { alerts, messages } from '../outbox/tables.ts';
import { Count, type Db, jsonOf, onlyRow } from '../store/db.ts';
import { isSilenced, mutesEndingAfter, type WatchMute } from '../watches/mutes.ts';
import {
  coversWholeIncidents,
  isAbout,
  mayCover,
  notifiesFor,
  type Watch,
  type WatchFilter,
} from '../watches/settings.ts';
import { watchesIn, watchWithId } from '../watches/watches.ts';
import { type Candidate, canBeSingle, isSingle, type LastAlert, REMINDER_MS, reasonsFor } from './decide.ts';
import { reachedIn } from './threshold.ts';

export interface Pending extends IncidentRow, ReadState {
  /** The newest alert that counts for the watch. */
  last: (typeof alerts.$inferSelect & LastAlert) | null;
  /** Failures with a higher `seq` are new to the watch. */
  afterSeq: number;
  /** A reminder or an escalation is due. */
  isDue: boolean;
  isMuted: boolean;
  /** The watch of `last` writes in threads. */
  hasThread: boolean;
}

/** `counts` is null if the filter covers the whole incident. */
type Covered = Pending & { counts: Pick<Matched, 'failures' | 'newestSeq' | 'critical'> | null };

/** Finds incidents with more than `last` says, or that are due. Muted failures stay pending. */
export async function pendingFor(db: Db, watch: Watch, environment: string, now: Date) {
  const inChannel = await channelWatches(db, watch, now);
  const { others, mutes } = inChannel;
  const since = min([subDays(now, PENDING_DAYS), ...mutes.map(({ from }) => from)]);
  const last = lastAlertFor(db, watch, inChannel, now);
  const isOutage = sql`incidents.gap_id IS NOT NULL AND (incidents.state <> 'resolved' OR incidents.state_at > ${watch.notifiesFrom})`;
  const isWanted = sql`(incidents.newest_seq > ${watch.notifiesAfter} OR ${inArray(incidents.id, [...watch.held])} OR (${isOutage}))`;
  const isPending = sql`incidents.environment = ${environment} AND incidents.last_recorded_at > ${since}
    AND ((${isWanted} AND incidents.recorded > coalesce(last.recorded, 0)) OR last.is_due)
    AND incidents.failures > 0 AND ${inArray(incidents.verdictClass, [...TRACKED])}`;
  const isIn = eq(environments.environment, incidents.environment);
  const joined = db.select().from(incidents).innerJoin(environments, isIn).leftJoinLateral(last, sql`true`);
  const rows = await joined.where(isPending).orderBy(incidents.id);
  const muted = new Set(mutes.flatMap(({ incidentId, until }) => (until > now ? incidentId : [])));
  const all = rows.map(({ incidents: incident, environments: { checkedTo, clockAheadMs }, last }): Pending => {
    const isMuted = muted.has(incident.id);
    const afterSeq = Math.max(last?.seq ?? 0, incident.startedSeq);
    const facts = { afterSeq, isDue: last?.isDue === true, isMuted, hasThread: hasThread(last, watch, inChannel) };
    return { ...incident, checkedTo, clockAheadMs, last, ...facts };
  });
  const pending = all.filter((row) => mayCover(watch.settings.filter, row));
  return { environment, pending, mutes, since, watchIds: [watch.id, ...others.map(({ id }) => id)] };
}

type ChannelWatches = Awaited<ReturnType<typeof channelWatches>>;

/** `others` notify the channel of all that the watch does; `mutes` are its own, and theirs of one incident. */
async function channelWatches(db: Db, watch: Watch, now: Date) {
  const oldest = subDays(now, PENDING_DAYS);
  const all = await watchesIn(db, watch.channel);
  const others = all.filter((other) => other.id !== watch.id && notifiesFor(other, watch));
  const mutes = await mutesEndingAfter(db, watch.id, oldest);
  const silenced: Watch[] = [];
  for (const other of others) {
    const theirs = await mutesEndingAfter(db, other.id, oldest);
    if (isSilenced(other, theirs, now)) silenced.push(other);
    mutes.push(...theirs.filter(({ incidentId }) => incidentId !== null));
  }
  return { all, others, mutes, silenced };
}

/** Another watch's alert doesn't count while that is silenced. Any watch of a channel notifies it of an outage. */
function lastAlertFor(db: Db, { id, settings }: Watch, { all, others }: ChannelWatches, now: Date) {
  const ids = (posters: readonly Watch[]) => posters.map((poster) => poster.id);
  const isFor = sql`${inArray(alerts.watchId, [id, ...ids(all)])} AND (alerts.watch_id = ${id} OR (
    (${inArray(alerts.watchId, ids(others))} OR (incidents.gap_id IS NOT NULL AND ${inArray(alerts.watchId, ids(all))}))
    AND (messages.ts IS NOT NULL OR (messages.state <> 'gone' AND messages.last_refusal IS DISTINCT FROM ${SILENCED}))))`;
  const ago = (ms: number | null) => ms && subMilliseconds(now, ms);
  const isDue = sql`incidents.state = 'firing' AND incidents.relapses = alerts.relapses AND (
    (incidents.gap_id IS NOT NULL AND alerts.at <= ${ago(REMINDER_MS)})
    OR (incidents.critical AND incidents.acknowledged_by IS NULL AND NOT alerts.escalated
      AND alerts.at <= ${ago(settings.escalateMs)}))`;
  const at = sql`GREATEST(alerts.at, messages.posted_at)`.mapWith(alerts.at).as('posted_at');
  const stateAt = sql`coalesce(alerts.state_at, incidents.state_at)`.mapWith(incidents.stateAt).as('known_state_at');
  const facts = { at, stateAt, messageState: messages.state, isDue: isDue.mapWith(Boolean).as('is_due') };
  const posted = db.select({ ...getTableColumns(alerts), ...facts }).from(alerts);
  const joined = posted.innerJoin(messages, eq(messages.id, alerts.messageId));
  return joined.where(sql`alerts.incident_id = incidents.id AND ${isFor}`).orderBy(desc(alerts.at)).limit(1).as('last');
}

function hasThread(last: Pending['last'], watch: Watch, { all, silenced }: ChannelWatches) {
  const poster = all.find(({ id }) => id === last?.watchId) ?? watch;
  return poster.settings.hasThread && !silenced.includes(poster);
}

/** Returns what is pending before an edit. Alerts of the rest are counted again by the new filter. */
export async function pendingIds(tx: Db, watch: Watch, filter: WatchFilter, now: Date) {
  const ids: number[] = [];
  for (const { environment } of await tx.select().from(environments)) {
    if (!isAbout(watch.settings.filter, environment)) continue;
    for (const candidate of await candidatesIn(tx, watch, await pendingFor(tx, watch, environment, now), now))
      if (reasonsFor(candidate, now).length > 0) ids.push(candidate.incident.id);
    const values = [environment, watch.id, jsonOf(ids), ...(await filterValues(tx, environment, filter))];
    if (!isDeepStrictEqual(filter, watch.settings.filter)) await countAlertsAgain(tx, filterConditions(4), values);
  }
  return ids;
}

export type IncidentCandidate = Candidate & { incident: Covered };

/** Keeps incidents that the filter covers and that, before their first alert, reach the threshold. */
export async function candidatesIn(
  tx: Db,
  { settings, held, notifiesAfter }: Watch,
  { environment, pending, mutes, since }: Awaited<ReturnType<typeof pendingFor>>,
  now: Date,
) {
  const { filter, escalateMs } = settings;
  const heldIds = new Set(held);
  const isHeld = ({ id }: Pending) => heldIds.has(id);
  const covered = (await coveredOf(tx, filter, environment, pending)).filter(
    (row) => row.counts === null || row.isDue || isHeld(row) || row.counts.newestSeq > notifiesAfter,
  );
  const isExempt = (row: Pending) => row.last !== null || row.gapId !== null || isHeld(row);
  const unalerted = covered.filter((row) => !isExempt(row)).map(({ id }) => id);
  const reached = await reachedIn(tx, environment, { ids: unalerted, from: since }, settings);
  const notifiable = covered.filter((row) => isExempt(row) || reached.has(row.id));
  const windows = notifiable.filter(canBeSingle).map((incident) => shareWindow(incident, now));
  const attempts = await countAttempts(tx, windows, SHARE_MS);
  const missed = await missedIn(tx, environment, { filter, mutes }, notifiable);
  return notifiable.map((incident): IncidentCandidate => {
    const { id, state, last: lastAlert, isMuted, hasThread } = incident;
    return {
      incident,
      state,
      ...alertSnapshot(incident),
      hasThread,
      escalateMs,
      lastAlert,
      isMuted,
      isSingle: isSingle(incident, attempts.get(id)?.total),
      isComplaint:
        incident.verdicts.every((verdict) => verdict === 'complained') && !filter.verdicts.includes('complained'),
      isAcknowledged: incident.acknowledgedBy !== null,
      missed: missed.get(id) ?? 0,
    };
  });
}

async function coveredOf<Row extends Pending>(db: Db, filter: WatchFilter, environment: string, all: readonly Row[]) {
  const isWhole = coversWholeIncidents(filter);
  const matched = await matchedIn(db, environment, isWhole ? [] : all, filter);
  // One without an alert may have relapsed by what the filter doesn't cover: earlier failures count.
  const earlier = all.filter(({ id, last, startedSeq }) => last === null && startedSeq > 0 && !matched.has(id));
  const fromStart = isWhole ? [] : earlier.map(({ id }) => ({ id, afterSeq: 0 }));
  const countsOf = new Map([...matched, ...(await matchedIn(db, environment, fromStart, filter))]);
  return all.flatMap((row): (Row & Covered)[] => {
    const { id, gapId, isDue, last } = row;
    const nothingNew = isDue && last ? { failures: 0, newestSeq: last.seq, critical: false } : undefined;
    const counts = isWhole || gapId !== null ? null : (countsOf.get(id)?.total ?? nothingNew);
    return counts === undefined ? [] : [{ ...row, counts }];
  });
}

export function alertSnapshot({ last, counts, ...incident }: Covered) {
  const { recorded, relapses, stateAt, newestSeq: seq, failures: matched, critical } = incident;
  const before = last?.relapses === relapses ? last : { matched: 0, critical: false, escalated: false };
  const snapshot = { recorded, relapses, stateAt, escalated: before.escalated };
  if (counts === null) return { ...snapshot, seq, matched, critical };
  const grown = { matched: before.matched + counts.failures, critical: counts.critical || before.critical };
  return { ...snapshot, ...grown, seq: counts.newestSeq };
}

async function missedIn(
  tx: Db,
  environment: string,
  { filter, mutes }: { filter: WatchFilter; mutes: readonly WatchMute[] },
  pending: readonly Pending[],
) {
  const ranges = pending.flatMap(({ id, afterSeq: seq, state }) =>
    mutes
      // An incident that is over was known to whoever muted it.
      .filter(({ incidentId }) => incidentId === null || (incidentId === id && state !== 'resolved'))
      .map(({ from, until }) => ({ id, seq, from, until })),
  );
  if (ranges.length === 0) return new Map<number, number>();
  const rows = await tx.rows(MissedRow, MISSED, [jsonOf(ranges), ...(await filterValues(tx, environment, filter))]);
  return new Map(rows.map(({ id, missed }) => [id, missed]));
}

const MissedRow = z.object({ id: Count, missed: Count });

const MISSED = `
  SELECT i.id, count(DISTINCT f.seq) AS missed
  FROM jsonb_to_recordset($1::jsonb) AS mute (id bigint, seq bigint, "from" timestamptz, until timestamptz)
  JOIN incidents i ON i.id = mute.id JOIN failures f ON f.incident_id = i.id AND f.seq > mute.seq
  WHERE f.recorded_at >= mute."from" AND f.recorded_at < mute.until AND ${filterConditions(2)} GROUP BY 1`;

const LastRow = z.object({ lastAlertAt: z.date().nullable(), lastNotifiedAt: z.date().nullable() });

export async function lastAlertTimes(db: Db, watchId: string, environment: string) {
  return onlyRow(await db.rows(LastRow, LAST, [watchId, environment]));
}

/** A line that renews `at` notifies of nothing that waits. */
const LAST = `
  SELECT max(LEAST(a.at, m.posted_at)) AS last_alert_at, max(LEAST(a.at, m.posted_at)) FILTER (WHERE a.reason <> 'single') AS last_notified_at
  FROM alerts a JOIN messages m ON m.id = a.message_id WHERE a.watch_id = $1 AND m.environment = $2`;

/** A message shows what was recorded while it waited. */
export async function updateSnapshots(db: Db, { id, watchId, kind, environment }: ClaimedPost, now: Date) {
  const watch = watchId === null || kind !== 'digest' ? null : await watchWithId(db, watchId);
  if (watch === null) return;
  const { pending, mutes, watchIds } = await pendingFor(db, { ...watch, notifiesAfter: 0 }, environment, now);
  await dropPosted(db, id, watchIds);
  const shown = pending.flatMap(({ last, ...row }) =>
    last?.messageId === id && last.reason !== 'single' && !row.isMuted ? [{ ...row, last }] : [],
  );
  const { filter, mention } = watch.settings;
  const covered = await coveredOf(db, filter, environment, shown);
  const missed = await missedIn(db, environment, { filter, mutes }, covered);
  const updated = covered.map((row) => ({ ...row.last, ...alertSnapshot(row), missed: missed.get(row.id) ?? null }));
  await putAlerts(db, updated);
  await noteMention(db, id, mention, now);
}
