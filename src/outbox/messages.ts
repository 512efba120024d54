import { and, eq, ne, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { inPieces } from '../lib/pauses.ts';
import { type StorableJson, stored } from '../lib/text/shown-id.ts';
import { StoredTime } from '../store/columns.ts';
import { Count, type Ctx, type Db, jsonOf, rowsOf, type SqlValue } from '../store/db.ts';
import type { IncidentEvent, Owner, WatchEnd } from './kinds.ts';
import { type alerts, messages } from './tables.ts';

export interface ActCtx extends Ctx {
  wakeDelivery: () => Promise<void>;
}

/** A direct message names its owner, or that it has none. */
export type NewMessage = typeof messages.$inferInsert &
  ({ recipient?: null } | { recipient: string; owner: Owner | null });

/** Returns null if the watch was notified of this before. */
export async function enqueue(tx: Db, message: NewMessage) {
  const [added] = await tx.insert(messages).values(message).onConflictDoNothing().returning({ id: messages.id });
  return added?.id ?? null;
}

/** One that Slack refused is tried again. */
export async function enqueueFor(
  tx: Db,
  message: NewMessage & { recipient: string; owner: Owner | null; subject: string },
) {
  const { kind, recipient, subject, state } = messages;
  const isTo = and(eq(recipient, message.recipient), eq(subject, message.subject), eq(kind, message.kind));
  const isSame = and(isTo, ne(state, 'gone'));
  const sent = await tx.select().from(messages).where(isSame).limit(1);
  return sent.length > 0 ? null : enqueue(tx, message);
}

/** The digests of watch $1 and environment $2 that can still be joined. */
export const WAITING_DIGEST = `watch_id = $1 AND environment = $2 AND kind = 'digest' AND state = 'waiting'
  AND begun_at IS NULL AND unresolved_since IS NULL`;

/** Returns the newest waiting digest, which is posted at once. */
export async function joinWaiting(tx: Db, watchId: string, environment: string) {
  const [joined] = await tx.rows(z.object({ id: z.string() }), JOIN, [watchId, environment]);
  return joined?.id ?? null;
}

const JOIN = `
  UPDATE messages SET next_at = NULL WHERE id = (
    SELECT id FROM messages WHERE ${WAITING_DIGEST} ORDER BY created_at DESC LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id`;

export const idsIn = (value: string) => `(SELECT value::bigint FROM jsonb_array_elements_text(${value}::jsonb))`;

export const redraw = (tx: Db, incidentIds: readonly number[], now: Date): Promise<number> =>
  redrawWhere(tx, `id IN ${idsIn('$2')}`, [now, jsonOf(incidentIds)]);

/** `condition` is one on incidents. */
export const redrawWhere = (tx: Db, condition: string, values: readonly [now: Date, ...SqlValue[]]): Promise<number> =>
  tx.write(
    `UPDATE messages m SET next_at = $1 WHERE m.state IN ('posting', 'posted') AND NOT m.is_frozen AND m.id IN (
       SELECT message_id FROM alerts WHERE incident_id IN (SELECT id FROM incidents WHERE ${condition}))`,
    values,
  );

export const redrawSubject = (db: Db, subject: string, now: Date): Promise<number> =>
  db.write(`UPDATE messages SET next_at = $2 WHERE subject = $1 AND state IN ('posting', 'posted')`, [subject, now]);

export const postAtOnce = (db: Db, subject: string): Promise<number> =>
  db.write(`UPDATE messages SET next_at = NULL WHERE subject = $1 AND state = 'waiting'`, [subject]);

export async function forgetMessages(tx: Db, subject: string): Promise<void> {
  await tx.delete(messages).where(eq(messages.subject, subject));
}

/** Tells each person once until a message arrives in the watch's channel again. */
export async function notifyEnd(
  tx: Db,
  watchId: string | null,
  people: readonly string[],
  end: { why: WatchEnd; now: Date },
) {
  await tx.write(NOTIFY_END, [watchId, jsonOf(people), jsonOf({ why: end.why }), end.now]);
}

const NOTIFY_END = `
  INSERT INTO messages (watch_id, kind, recipient, content, created_at)
  SELECT $1, 'watch-ended', person.id, $3::jsonb, $4 FROM jsonb_array_elements_text($2::jsonb) AS person (id)
  WHERE NOT EXISTS (
    SELECT FROM messages before WHERE before.watch_id = $1 AND before.kind = 'watch-ended' AND before.recipient = person.id
      AND before.created_at >= coalesce(
        (SELECT max(posted_at) FROM messages arrived WHERE arrived.watch_id = $1 AND arrived.recipient IS NULL), '-infinity'))`;

export async function incidentsOf(tx: Db, condition: string, value: string) {
  const select = `SELECT a.incident_id AS id FROM alerts a JOIN messages m ON m.id = a.message_id WHERE ${condition}`;
  return (await tx.rows(z.object({ id: Count }), select, [value])).map(({ id }) => id);
}

export const unpostedIncidents = (tx: Db, watchId: string): Promise<number[]> =>
  incidentsOf(tx, "m.watch_id = $1 AND m.state IN ('waiting', 'posting')", watchId);

/** A watch that was moved or ended doesn't edit its old messages. */
export async function leavePosted(tx: Db, watchId: string, as: { state: 'gone'; subject: SQL } | { isFrozen: true }) {
  const isPosted = 'state' in as ? eq(messages.state, 'posted') : undefined;
  const isLeft = and(eq(messages.watchId, watchId), isPosted);
  await tx.update(messages).set(as).where(isLeft);
}

/** `until`: the time of an event after the silence. */
export const endSilence = (db: Db, subject: string, until: Date, now: Date): Promise<number> =>
  db.write(END_SILENCE, [subject, until, now]);

const IS_OPEN = "kind = 'silence' AND state <> 'gone' AND NOT content ? 'until'";

const END_SILENCE = `
  UPDATE messages SET next_at = $3, content = content || jsonb_build_object('until', $2::timestamptz),
    state = CASE WHEN state = 'waiting' AND unresolved_since IS NULL THEN 'gone' ELSE state END
  WHERE subject = $1 AND ${IS_OPEN}`;

const Name = z.string().nullable().default(null);
/** Without a `workflow`, the whole environment is silent. */
export const Silent = z.object({
  since: StoredTime,
  until: StoredTime.nullable().default(null),
  usualMs: z.number(),
  workflow: Name,
  name: Name,
});
export type Silent = z.output<typeof Silent>;

const SilentRow = z.object({ subject: z.string(), environment: z.string(), content: Silent.nullable().catch(null) });
type SilentRow = z.output<typeof SilentRow> & { content: Silent };

/** Silences that a watch was notified of. */
export async function silentNow(db: Db, environments: readonly string[]): Promise<SilentRow[]> {
  const rows = await db.rows(SilentRow, SILENT, [jsonOf(environments)]);
  return rows.filter((row): row is SilentRow => row.content !== null);
}

const SILENT = `SELECT DISTINCT ON (subject) * FROM messages WHERE $1::jsonb ? environment AND ${IS_OPEN} ORDER BY subject`;

const ThreadRow = z.object({
  watchId: z.string(),
  threadOf: z.string(),
  environment: z.string(),
  incidents: z.array(Count),
});

/** A message whose post isn't begun yet shows the event in its rows. */
export async function noteInThreads(
  tx: Db,
  incidentIds: readonly number[],
  event: StorableJson<IncidentEvent>,
  watchId: string | null = null,
) {
  for (const { incidents, ...place } of await tx.rows(ThreadRow, THREADS, [jsonOf(incidentIds), watchId]))
    await enqueue(tx, { ...place, kind: 'thread', content: stored({ event, incidents }), createdAt: event.at });
}

const THREADS = `
  SELECT watch_id, thread_of, environment, array_agg(incident_id ORDER BY incident_id) AS incidents FROM (
    SELECT DISTINCT ON (a.watch_id, a.incident_id) a.watch_id, a.incident_id, m.id AS thread_of, m.environment, m.state, m.unresolved_since
    FROM alerts a JOIN messages m ON m.id = a.message_id JOIN watches w ON w.id = a.watch_id
    WHERE a.incident_id IN ${idsIn('$1')} AND m.state <> 'gone' AND a.reason <> 'single'
      AND w.ended_at IS NULL AND w.settings ->> 'hasThread' IS DISTINCT FROM 'false' AND ($2::text IS NULL OR w.id = $2)
    ORDER BY a.watch_id, a.incident_id, a.at DESC
  ) newest WHERE state <> 'waiting' OR unresolved_since IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2`;

const ALERTS_A_TURN = 200;

/** An alert that a message has already keeps its reason. */
export async function putAlerts(tx: Db, added: readonly (typeof alerts.$inferSelect)[]): Promise<void> {
  for await (const some of inPieces(added, ALERTS_A_TURN)) await tx.write(PUT, [rowsOf(some)]);
}

const PUT = `
  INSERT INTO alerts AS a SELECT * FROM jsonb_populate_recordset(NULL::alerts, $1::jsonb)
  ON CONFLICT (message_id, incident_id) DO UPDATE SET at = EXCLUDED.at, recorded = EXCLUDED.recorded, seq = EXCLUDED.seq,
    matched = EXCLUDED.matched, relapses = EXCLUDED.relapses, critical = EXCLUDED.critical, missed = NULLIF(coalesce(a.missed, 0) + coalesce(EXCLUDED.missed, 0), 0),
    state_at = EXCLUDED.state_at, escalated = EXCLUDED.escalated, reason = CASE WHEN a.reason = 'single' THEN EXCLUDED.reason ELSE a.reason END`;

/** Open incidents but those in $3 count as alerted with all failures `f` that meet the `conditions`. */
export const countAlertsAgain = (tx: Db, conditions: string, values: SqlValue[]): Promise<number> =>
  tx.write(countBy(conditions, 'critical = f.critical', OTHERS), values);

const OTHERS = `i.environment = $1 AND a.watch_id = $2 AND i.state <> 'resolved' AND i.gap_id IS NULL AND NOT $3::jsonb @> to_jsonb(i.id)`;

export const countBy = (conditions: string, change: string, scope: string) => `
  UPDATE alerts a SET seq = i.newest_seq, matched = f.matched, ${change} FROM incidents i CROSS JOIN LATERAL (
    SELECT GREATEST(count(*), 1) AS matched, coalesce(bool_or(f.critical), false) AS critical FROM failures f
    WHERE f.incident_id = i.id AND f.seq > i.started_seq AND ${conditions}) f
  WHERE a.incident_id = i.id AND a.relapses = i.relapses AND ${scope}`;

/** Drops the alerts that another of the watches has posted since. */
export const dropPosted = (tx: Db, id: string, watchIds: readonly string[]): Promise<number> =>
  tx.write(DROP, [id, jsonOf(watchIds)]);

const DROP = `
  DELETE FROM alerts a WHERE a.message_id = $1 AND EXISTS (
    SELECT FROM alerts o JOIN messages m ON m.id = o.message_id AND m.state = 'posted' WHERE o.incident_id = a.incident_id
      AND $2::jsonb ? o.watch_id AND o.watch_id <> a.watch_id AND GREATEST(o.at, m.posted_at) >= a.at AND o.reason <> 'single')`;

/** Failures that were alerted under other incidents aren't growth of their new one. */
export const noteMoved = (tx: Db, id: number, origins: readonly number[]): Promise<number> =>
  tx.write(MOVED, [id, jsonOf(origins), origins.length]);
const MOVED = `
  UPDATE alerts a SET matched = a.matched + $3, critical = a.critical OR o.critical
  FROM (SELECT watch_id, bool_or(critical) AS critical FROM alerts WHERE incident_id IN ${idsIn('$2')} GROUP BY 1) o
  WHERE a.incident_id = $1 AND a.watch_id = o.watch_id`;

export const copyAlerts = (tx: Db, id: number, from: number): Promise<number> => tx.write(COPY, [id, from]);

/** A 'new' alert is copied as 'relapsed' if its failures brought the incident back. */
const COPY = `
  INSERT INTO alerts (message_id, incident_id, watch_id, reason, at, recorded, seq, matched, relapses, critical, escalated, state_at)
  SELECT DISTINCT ON (a.watch_id) a.message_id, i.id, a.watch_id,
    CASE WHEN a.reason = 'new' AND i.relapses > 0 THEN 'relapsed' ELSE a.reason END, a.at, i.recorded, i.newest_seq, i.failures, i.relapses, i.critical, a.escalated, a.state_at
  FROM alerts a, incidents i WHERE a.incident_id = $2 AND i.id = $1 AND a.watch_id IS NOT NULL
  ORDER BY a.watch_id, a.at DESC ON CONFLICT DO NOTHING`;

/** Nobody is mentioned if all incidents are over, acknowledged or muted. */
export const noteMention = (db: Db, id: string, mention: object | null, now: Date): Promise<number> =>
  db.write(MENTION, [id, jsonOf(mention), now]);

const MENTION = `
  UPDATE messages SET content = jsonb_build_object('mention', CASE WHEN EXISTS (
    SELECT FROM alerts a JOIN incidents i ON i.id = a.incident_id
    WHERE a.message_id = $1 AND a.reason <> 'single' AND i.acknowledged_by IS NULL
      AND (i.state = 'firing' OR (a.reason = 'critical' AND i.state <> 'resolved'))
      AND NOT EXISTS (SELECT FROM mutes u WHERE u.watch_id = a.watch_id AND u.incident_id = i.id AND u.until > $3)
  ) THEN $2::jsonb END) WHERE id = $1`;
