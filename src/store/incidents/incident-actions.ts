import { subMilliseconds } from 'date-fns';
import { z } from 'zod';
import type { AuditedIncident, Change } from '../../domain/access/audit.ts';
import { type Assignment, EPISODE_MS } from '../../domain/incidents/episode.ts';
import type { HistoryEvent } from '../../domain/incidents/history.ts';
import type { ActionTarget, TargetNow } from '../../domain/incidents/incident-actions.ts';
import type { IncidentNow } from '../../domain/incidents/incident-now.ts';
import type { Note } from '../../domain/incidents/note.ts';
import type { AcknowledgingStore } from '../../use-cases/incidents/acknowledge-incident.ts';
import type { NotingStore } from '../../use-cases/incidents/add-note.ts';
import type { AssigningStore } from '../../use-cases/incidents/assign-incident.ts';
import type { ResolvingStore } from '../../use-cases/incidents/resolve-incident.ts';
import { type Act, recordOnIncident } from '../changes/audited.ts';
import { type Database, jsonOf, type Sql, type SqlRows } from '../database/database.ts';
import { Count, State } from '../database/row.ts';
import { WATCH_COLUMNS, WatchRow } from '../watches/watches.ts';
import { endedAt } from './incident-states.ts';
import { ActsRow, assignmentOf, byAt, incidentsNow } from './incidents-now.ts';
import { OUTAGE_MESSAGES } from './neighbours.ts';
import { noteInThreads } from './threads.ts';

export function acting(database: Database): AcknowledgingStore & AssigningStore & ResolvingStore & NotingStore {
  return {
    addNote: (target, note) => database.withTransaction((sql) => addNote(sql, target, note)),
    actedOn: (target, now) => actedOn(database, target, now),
    acknowledge: (target, by, now) => database.withTransaction((sql) => acknowledge(sql, target, { by, now })),
    assign: (target, assignment) => database.withTransaction((sql) => assign(sql, target, assignment)),
    resolve: (target, by, now) => database.withTransaction((sql) => resolve(sql, target, { by, now })),
    unacknowledge: (target, { of, by }, now) =>
      database.withTransaction((sql) => unacknowledge(sql, target, of, { by, now })),
  };
}

const TargetRow = z.object({
  newest: Count,
  last_recorded_at: z.date(),
  came_back: z.boolean(),
  watch_id: z.string().nullable(),
});

async function actedOn(sql: SqlRows, target: ActionTarget, now: Date): Promise<TargetNow | null> {
  const { messageId, episodeId } = target;
  const [found] = await sql.rows(TargetRow, TARGET, [episodeId, messageId]);
  if (found === undefined) return null;
  const [watch = null] = await sql.rows(WatchRow, LIVING_WATCH, [found.watch_id]);
  const incidents = await incidentsNow(sql, [episodeId, found.newest], found.watch_id, now);
  const rest = {
    watch,
    hasEnded: found.last_recorded_at <= subMilliseconds(now, EPISODE_MS),
    cameBack: found.came_back,
  };
  return pairOf(incidents, episodeId, found.newest, rest);
}

/** Whether an episode of the same incident after `s` is of another outage than `s`. */
const CAME_BACK = `
  EXISTS (SELECT FROM episodes l WHERE l.incident_key = s.incident_key AND l.id > s.id AND l.began_as <> 'goes-on') AS came_back`;

const TARGET = `
  SELECT s.last_recorded_at, ${CAME_BACK}, (SELECT max(id) FROM episodes n WHERE n.incident_key = s.incident_key) AS newest,
    (SELECT watch_id FROM messages WHERE id = $2) AS watch_id
  FROM episodes s WHERE s.id = $1`;

const LIVING_WATCH = `SELECT ${WATCH_COLUMNS} FROM watches w WHERE w.id = $1 AND w.ended_at IS NULL`;

function pairOf(
  incidents: ReadonlyMap<number, IncidentNow>,
  episodeId: number,
  newestId: number,
  rest: Pick<TargetNow, 'watch' | 'hasEnded' | 'cameBack'>,
): TargetNow | null {
  const episode = incidents.get(episodeId);
  const newest = incidents.get(newestId);
  return episode === undefined || newest === undefined ? null : { episode, newest, ...rest };
}

/** Two people who act on an episode at once take turns. */
async function lockedState(sql: Sql, episodeId: number) {
  const [row] = await sql.rows(ActsRow, LOCK_STATE, [episodeId]);
  if (row === undefined) return undefined;
  return {
    acknowledged: byAt(row.acknowledged_by, row.acknowledged_at),
    unacknowledged: byAt(row.unacknowledged_by, row.unacknowledged_at),
    assigned: assignmentOf(row),
  };
}

const LOCK_STATE = `
  SELECT acknowledged_by, acknowledged_at, unacknowledged_by, unacknowledged_at, assigned_to, assigned_by, assigned_at
  FROM episodes WHERE id = $1 FOR UPDATE`;

async function acknowledge(sql: Sql, target: ActionTarget, { by, now }: Act) {
  const { episodeId } = target;
  const state = await lockedState(sql, episodeId);
  if (state === undefined) return null;
  if (state.acknowledged !== null) return { isFirst: false, acknowledged: state.acknowledged };
  await sql.write(
    `UPDATE episodes SET acknowledged_by = $2, acknowledged_at = $3, unacknowledged_by = NULL, unacknowledged_at = NULL WHERE id = $1`,
    [episodeId, by, now],
  );
  await publish(sql, target, { what: 'acknowledged', by, at: now }, (incident) => ({
    action: 'acknowledged',
    incident,
  }));
  return { isFirst: true, acknowledged: { by, at: now } };
}

async function unacknowledge(sql: Sql, target: ActionTarget, of: string, { by, now }: Act) {
  const { episodeId } = target;
  const state = await lockedState(sql, episodeId);
  if (state === undefined) return null;
  const { acknowledged, unacknowledged } = state;
  if (acknowledged === null) return { is: 'already', unacknowledged } as const;
  if (acknowledged.by !== of) return { is: 'another', acknowledged } as const;
  await sql.write(
    `UPDATE episodes SET acknowledged_by = NULL, acknowledged_at = NULL, unacknowledged_by = $2, unacknowledged_at = $3 WHERE id = $1`,
    [episodeId, by, now],
  );
  await publish(sql, target, { what: 'unacknowledged', by, at: now }, (incident) => ({
    action: 'unacknowledged',
    incident,
  }));
  return { is: 'done', acknowledged } as const;
}

async function assign(sql: Sql, target: ActionTarget, assignment: Assignment) {
  const { to, by, at } = assignment;
  const { episodeId } = target;
  const state = await lockedState(sql, episodeId);
  if (state === undefined) return null;
  const before = state.assigned;
  if (before?.to === to) return { isNew: false, assigned: before, before };
  const change = 'UPDATE episodes SET assigned_to = $2, assigned_by = $3, assigned_at = $4 WHERE id = $1';
  await sql.write(change, [episodeId, to, by, at]);
  await publish(sql, target, { what: 'assigned', to, by, at }, (incident) => ({ action: 'assigned', incident, to }));
  return { isNew: true, assigned: assignment, before };
}

const NewestRow = z.object({ id: Count, state: State, resolved_by: z.string().nullable(), came_back: z.boolean() });

const NEWEST = `
  SELECT newest.id, newest.state, newest.resolved_by, ${CAME_BACK}
  FROM episodes s JOIN episodes newest ON newest.incident_key = s.incident_key
  WHERE s.id = $1 ORDER BY newest.id DESC LIMIT 1 FOR UPDATE OF newest`;

async function resolve(sql: Sql, target: ActionTarget, { by, now }: Act) {
  const [newest] = await sql.rows(NewestRow, NEWEST, [target.episodeId]);
  if (newest === undefined) return null;
  if (newest.came_back) return 'came-back';
  if (newest.state === 'resolved') return { isFirst: false, by: newest.resolved_by };
  const change = `UPDATE episodes s SET state = 'resolved', state_at = $3, resolved_by = $2, ended_at = ${endedAt('$3')} WHERE id = $1`;
  await sql.write(change, [newest.id, by, now]);
  const on = { ...target, episodeId: newest.id };
  await publish(sql, on, { what: 'resolved', by, at: now }, (incident) => ({ action: 'resolved', incident }));
  return { isFirst: true, by };
}

async function addNote(sql: Sql, target: ActionTarget, note: Note): Promise<boolean> {
  if ((await sql.rows(LockedRow, LOCK_EPISODE, [target.episodeId])).length === 0) return false;
  const repeatedSince = subMilliseconds(note.at, REPEAT_MS);
  const added = await sql.write(ADD_NOTE, [target.episodeId, note.by, note.at, note.text, repeatedSince]);
  if (added === 0) return true;
  await publish(sql, target, { what: 'noted', ...note }, (incident) => ({ action: 'noted', incident }));
  return true;
}

/** A person's same note within this time is the same submission, such as by a double click. */
const REPEAT_MS = 60_000;

const LockedRow = z.object({ id: Count });

/** Submissions at the same time are handled one after the other. */
const LOCK_EPISODE = 'SELECT id FROM episodes WHERE id = $1 FOR NO KEY UPDATE';

/** Adds a note unless it repeats one that was written after $5. */
const ADD_NOTE = `
  INSERT INTO notes (incident_key, episode_id, written_by, written_at, text)
  SELECT incident_key, id, $2, $3, $4 FROM episodes WHERE id = $1
  AND NOT EXISTS (SELECT 1 FROM notes WHERE episode_id = $1 AND written_by = $2 AND text = $4 AND written_at > $5)`;

async function publish(
  sql: Sql,
  target: ActionTarget,
  done: HistoryEvent & { readonly by: string },
  changeOf: (incident: AuditedIncident) => Change,
): Promise<void> {
  const { episodeId, messageId, channel = null } = target;
  await redraw(sql, episodeId, done.at);
  await noteInThreads(sql, [episodeId], done, done.at);
  const [place] = await sql.rows(PlaceRow, PLACE, [episodeId, messageId, channel]);
  if (place === undefined) throw new Error(`there is no episode ${episodeId}`);
  await recordOnIncident(
    sql,
    { groupKey: place.group_key, episodeId, channel: place.channel },
    { by: done.by, now: done.at },
    changeOf,
  );
}

const PlaceRow = z.object({ group_key: z.string(), channel: z.string().nullable() });

const PLACE = `
  SELECT s.group_key,
    coalesce((SELECT w.channel FROM watches w JOIN messages d ON d.watch_id = w.id WHERE d.id = $2), $3::text) AS channel
  FROM episodes s WHERE s.id = $1`;

/** Redraws the messages of every watch that show the episode or another day of its outage; one just being posted may show the earlier state. */
async function redraw(sql: Sql, episodeId: number, now: Date): Promise<void> {
  await sql.write(
    `UPDATE messages d SET redraw_at = $2
     WHERE d.state <> 'gone' AND coalesce(d.posted_at, $2) > $3 AND d.id = ANY (${OUTAGE_MESSAGES})`,
    [jsonOf([episodeId]), now, subMilliseconds(now, EPISODE_MS)],
  );
}
