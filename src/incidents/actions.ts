import { subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { recordOnIncident } from '../audit/audit.ts';
import type { AuditedIncident, Change } from '../domain/access/audit.ts';
import type { Note } from '../domain/incidents/note.ts';
import type { Logger } from '../domain/logger.ts';
import type { Db } from '../store/db.ts';
import { jsonOf } from '../store/values.ts';
import type { Acknowledgment, Assignment } from './incident.ts';
import { type IncidentEvent, noteInThreads, redraw } from './publish.ts';
import { assignmentOf, byAt } from './queries.ts';
import { IncidentRow } from './rows.ts';

export interface ActCtx {
  readonly db: Db;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly wakeDelivery: () => Promise<void>;
}

/** What somebody acts on: an incident, in the message that has its row, or in a channel. */
export interface ActionTarget {
  readonly incidentId: number;
  readonly messageId: string | null;
  readonly channel?: string | null;
}

/** Nothing of the incident is kept any more. */
export interface Forgotten {
  readonly is: 'forgotten';
}
/** By a person or, if null, by itself. */
export interface Resolved {
  readonly is: 'resolved';
  readonly by: string | null;
}

export type Acknowledging =
  | Forgotten
  | Resolved
  | { readonly is: 'done' | 'already'; readonly acknowledged: Acknowledgment };

/** Says that somebody is working on it: it mentions nobody until it relapses. */
export function acknowledge(ctx: ActCtx, target: ActionTarget, by: string): Promise<Acknowledging> {
  return act(ctx, target, by, 'incident acknowledged', async (sql, incident, now) => {
    if (incident.state === 'resolved') return { is: 'resolved', by: incident.resolvedBy };
    const before = byAt(incident.acknowledgedBy, incident.acknowledgedAt);
    if (before !== null) return { is: 'already', acknowledged: before };
    await sql.write('UPDATE incidents SET acknowledged_by = $2, acknowledged_at = $3 WHERE id = $1', [
      incident.id,
      by,
      now,
    ]);
    await publish(sql, target, { what: 'acknowledged', by, at: now }, (words) => ({
      action: 'acknowledged',
      incident: words,
    }));
    return { is: 'done', acknowledged: { by, at: now } };
  });
}

export type Unacknowledging =
  | Forgotten
  | { readonly is: 'already' }
  /** It's another person's by now. */
  | { readonly is: 'another'; readonly acknowledged: Acknowledgment }
  | { readonly is: 'done'; readonly acknowledged: Acknowledgment };

/** Removes the acknowledgment of `holder`, who is told if that is another person. */
export function unacknowledge(ctx: ActCtx, target: ActionTarget, holder: string, by: string): Promise<Unacknowledging> {
  return act(ctx, target, by, 'incident unacknowledged', async (sql, incident, now) => {
    const acknowledged = byAt(incident.acknowledgedBy, incident.acknowledgedAt);
    if (acknowledged === null) return { is: 'already' };
    if (acknowledged.by !== holder) return { is: 'another', acknowledged };
    await sql.write('UPDATE incidents SET acknowledged_by = NULL, acknowledged_at = NULL WHERE id = $1', [incident.id]);
    await publish(sql, target, { what: 'unacknowledged', by, at: now }, (words) => ({
      action: 'unacknowledged',
      incident: words,
    }));
    if (holder !== by) await tell(sql, incident, holder, { told: 'unacknowledged', by, to: null }, now);
    return { is: 'done', acknowledged };
  });
}

export type Assigning =
  | Forgotten
  | { readonly is: 'already'; readonly assigned: Assignment }
  | { readonly is: 'done'; readonly assigned: Assignment; readonly before: Assignment | null };

/** Whoever gets it, and whoever had it, is told in a direct message, which shows the incident from then on. */
export function assign(ctx: ActCtx, target: ActionTarget, to: string, by: string): Promise<Assigning> {
  return act(ctx, target, by, 'incident assigned', async (sql, incident, now) => {
    const before = assignmentOf(incident);
    if (before?.to === to) return { is: 'already', assigned: before };
    const change = 'UPDATE incidents SET assigned_to = $2, assigned_by = $3, assigned_at = $4 WHERE id = $1';
    await sql.write(change, [incident.id, to, by, now]);
    await publish(sql, target, { what: 'assigned', to, by, at: now }, (words) => ({
      action: 'assigned',
      incident: words,
      to,
    }));
    if (to !== by) await tell(sql, incident, to, { told: 'assigned', by, to }, now);
    if (before !== null && before.to !== by) await tell(sql, incident, before.to, { told: 'taken', by, to }, now);
    return { is: 'done', assigned: { to, by, at: now }, before };
  });
}

export type Resolving = Forgotten | Resolved | { readonly is: 'done' };

/** What fails of it afterwards is a relapse. */
export function resolve(ctx: ActCtx, target: ActionTarget, by: string): Promise<Resolving> {
  return act(ctx, target, by, 'incident resolved', async (sql, incident, now) => {
    if (incident.state === 'resolved') return { is: 'resolved', by: incident.resolvedBy };
    const change = `UPDATE incidents SET state = 'resolved', state_at = $2, resolved_by = $3 WHERE id = $1`;
    await sql.write(change, [incident.id, now, by]);
    await publish(sql, target, { what: 'resolved', by, at: now }, (words) => ({ action: 'resolved', incident: words }));
    return { is: 'done' };
  });
}

export type Noting = Forgotten | { readonly is: 'done'; readonly note: Note };

/** A person's same note within this time is the same submission, such as by a double click. */
const REPEAT_MS = 60_000;

export function addNote(ctx: ActCtx, target: ActionTarget, text: string, by: string): Promise<Noting> {
  return act(ctx, target, by, 'note added', async (sql, incident, now) => {
    const note = { by, at: now, text };
    const values = [incident.id, by, text, subMilliseconds(now, REPEAT_MS)];
    if ((await sql.rows(z.object({}), SAME_NOTE, values)).length > 0) return { is: 'done', note };
    await publish(sql, target, { what: 'noted', ...note }, (words) => ({ action: 'noted', incident: words, text }));
    return { is: 'done', note };
  });
}

const SAME_NOTE = `
  SELECT FROM audit WHERE incident_id = $1 AND actor = $2 AND change ->> 'action' = 'noted' AND change ->> 'text' = $3 AND at > $4`;

/** Two who act on an incident at once take turns, also with what records its failures. */
async function act<Outcome extends { readonly is: string }>(
  { db, logger, now, wakeDelivery }: ActCtx,
  target: ActionTarget,
  by: string,
  words: string,
  change: (sql: Db, incident: IncidentRow, now: Date) => Promise<Outcome>,
): Promise<Outcome | Forgotten> {
  const done = await db.transaction(async (sql) => {
    const [incident] = await sql.rows(IncidentRow, 'SELECT * FROM incidents WHERE id = $1 FOR UPDATE', [
      target.incidentId,
    ]);
    return incident === undefined ? ({ is: 'forgotten' } as const) : change(sql, incident, now());
  });
  if (done.is !== 'done') return done;
  logger.info({ by, ...target }, words);
  await wakeDelivery();
  return done;
}

async function publish(
  sql: Db,
  { incidentId, messageId, channel = null }: ActionTarget,
  done: IncidentEvent & { readonly by: string },
  changeOf: (incident: AuditedIncident) => Change,
): Promise<void> {
  await redraw(sql, [incidentId], done.at);
  await noteInThreads(sql, [incidentId], done, done.at);
  const [place] = await sql.rows(PlaceRow, PLACE, [messageId]);
  await recordOnIncident(
    sql,
    { incidentId, channel: place?.channel ?? channel },
    { by: done.by, now: done.at },
    changeOf,
  );
}

const PlaceRow = z.object({ channel: z.string() });
const PLACE = 'SELECT w.channel FROM watches w JOIN messages m ON m.watch_id = w.id WHERE m.id = $1';

/** What a direct message about an incident says above its row. */
export const Told = z.object({
  told: z.enum(['assigned', 'taken', 'unacknowledged']),
  by: z.string(),
  to: z.string().nullable(),
});
export type Told = z.output<typeof Told>;

const MessageRow = z.object({ id: z.string() });

/** The newest message about an incident to a person shows it live. */
async function tell(sql: Db, incident: IncidentRow, person: string, told: Told, now: Date): Promise<void> {
  const [message] = await sql.rows(MessageRow, TELL, [person, incident.environment, jsonOf(told), now]);
  if (message === undefined) throw new Error('a direct message was not written');
  await sql.write(TOLD, [message.id, incident.id, now]);
}

const TELL = `
  INSERT INTO messages (recipient, kind, environment, content, created_at) VALUES ($1, 'told', $2, $3::jsonb, $4) RETURNING id`;
const TOLD = `
  INSERT INTO alerts (message_id, incident_id, reason, at, recorded, seq, matched, relapses, critical)
  SELECT $1, id, 'told', $3, recorded, newest_seq, failures, relapses, critical FROM incidents WHERE id = $2`;
