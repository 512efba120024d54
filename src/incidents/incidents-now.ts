import { addMilliseconds, max, subMilliseconds } from 'date-fns';
import { and, desc, eq, getTableColumns, gt, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { changesBefore } from '../changes/changes.ts';
import { gapsWhere } from '../coverage/gaps.ts';
import { environments, gaps } from '../coverage/tables.ts';
import { mostSevere } from '../failures/judge.ts';
import { groupBy } from '../lib/group-by.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { lagMs } from '../lib/time/service-clock.ts';
import { idsIn } from '../outbox/messages.ts';
import { Count, type Db, jsonOf } from '../store/db.ts';
import { coversWholeIncidents, EVERYTHING, type WatchFilter } from '../watches/settings.ts';
import { mutes } from '../watches/tables.ts';
import { countAttempts, type MatchedIncident, matchedIn, shareWindow, wentThrough } from './counts.ts';
import {
  compareIncidents,
  type IncidentNow,
  type Note,
  NoteRow,
  type StateNow,
  type WorkflowShare,
} from './incident.ts';
import { failures, incidents, incidentWorkflows } from './tables.ts';

type Row = Awaited<ReturnType<typeof incidentRowsOf>>[number];

export type Viewer = { watchId: string; filter: WatchFilter };

const MOST_WORKFLOWS = 3;
const STALE_MS = 2 * MINUTE_MS;

export async function incidentsNow(
  db: Db,
  ids: readonly number[],
  viewer: Viewer | null,
  now: Date,
): Promise<ReadonlyMap<number, IncidentNow>> {
  if (ids.length === 0) return new Map();
  const rows = await incidentRowsOf(db, ids, viewer?.watchId ?? '', now);
  const facts = await factsAbout(db, rows, viewer?.filter ?? EVERYTHING, now);
  return new Map(rows.map((row) => [row.id, incidentFrom(row, facts, now)]));
}

export async function incidentsInOrder(
  db: Db,
  rows: readonly { id: number }[],
  now: Date,
  viewer: Viewer | null = null,
): Promise<readonly IncidentNow[]> {
  const ids = rows.map(({ id }) => id);
  const known = await incidentsNow(db, ids, viewer, now);
  return ids.flatMap((id) => known.get(id) ?? []);
}

const ofIncident = ({ incidentId }: { incidentId: number }) => incidentId;

/** `matched`: what the filter covers, if it can cover an incident in part. */
async function factsAbout(db: Db, rows: readonly Row[], filter: WatchFilter, now: Date) {
  const ids = rows.map(({ id }) => id);
  const isWhole = coversWholeIncidents(filter);
  const matched = await matchedOf(db, isWhole ? [] : rows, filter);
  const counted = groupBy(await workflowsOf(db, ids), ofIncident);
  const workflowsIn = (id: number): readonly InWorkflow[] => matched.get(id)?.workflows ?? counted.get(id) ?? [];
  const announced = rows
    .filter(({ verdictClass, gapId }) => verdictClass === 'announced' && gapId === null)
    .toSorted(compareIncidents);
  const windows = isWhole ? announced.map((row) => shareWindow(row, now)) : [];
  const newest = rows.map((row) => matched.get(row.id)?.total.newestSeq ?? row.newestSeq);
  const explainable = rows.map((row) => explainableBy(row, workflowsIn(row.id)));
  const gapIds = rows.flatMap(({ gapId }) => gapId ?? []);
  return {
    matched,
    gaps: new Map((await gapsWhere(db, inArray(gaps.id, gapIds))).map((gap) => [gap.id, gap])),
    workflowsIn,
    isWhole,
    examples: groupBy(await db.select().from(failures).where(inArray(failures.seq, newest)), ofIncident),
    attempts: await countAttempts(db, windows),
    wentThrough: await wentThrough(db, ids),
    remembered: groupBy(await db.rows(RememberedRow, REMEMBERED, [jsonOf(ids)]), ({ forId }) => forId),
    formerly: groupBy(await db.rows(FormerRow, FORMERLY, [jsonOf(ids)]), ofIncident),
    changes: await changesBefore(db, explainable),
  };
}

export function incidentFrom(row: Row, facts: Awaited<ReturnType<typeof factsAbout>>, now: Date) {
  const { id, code, environment, channel, provider, isTest, headline, firstAt, recorded, assignedTo, mute, gapId } =
    row;
  const workflows = facts.workflowsIn(id);
  const attempts = facts.attempts.get(id);
  const match = facts.matched.get(id);
  const counts = match?.total ?? row;
  const { eventId = null, transactionId = '', subscriberId = null } = facts.examples.get(id)?.[0] ?? {};
  const formerly: Pick<Note, 'actor' | 'at'> | null = facts.formerly.get(id)?.[0] ?? null;
  const gap = (gapId === null ? undefined : facts.gaps.get(gapId)) ?? null;
  const checkedTo = subMilliseconds(row.checkedTo, row.clockAheadMs ?? 0);
  const isStale = row.state === 'firing' && now.getTime() - checkedTo.getTime() > STALE_MS;
  const state: StateNow =
    match?.isEarlier && row.state !== 'resolved' ? { is: 'recovering', since: counts.lastAt } : stateOf(row);
  return {
    id,
    code,
    environment,
    channel,
    provider,
    isTest,
    headline,
    isRecipientFault: row.isRecipientFault,
    firstAt,
    recorded,
    assignedTo,
    startedAt: match?.total.firstAt ?? row.startedAt,
    relapses: match?.isEarlier ? 0 : row.relapses,
    asOf: now,
    cause: { text: row.causeText, key: row.causeKey },
    verdict: mostSevere(counts.verdicts),
    failures: counts.failures, // since `startedAt`; `recorded` counts those before its relapses, too
    subscribers: counts.subscribers,
    lastAt: counts.lastAt,
    critical: counts.critical,
    outage: gapId === null ? null : { problem: row.problem, uncheckedSince: checkedTo, gap },
    example: { eventId, transactionId, subscriberId },
    workflows: workflows.slice(0, MOST_WORKFLOWS).map((share): WorkflowShare => {
      return { ...share, attempts: attempts?.byWorkflow.get(share.workflow ?? '') ?? null };
    }),
    moreWorkflows: Math.max(0, workflows.length - MOST_WORKFLOWS),
    attempts: attempts?.total ?? null, // null: a row shows a part of its failures, or warnings
    wentThrough: facts.wentThrough.get(id) ?? 0,
    staleSince: isStale ? max([checkedTo, counts.lastAt]) : null,
    shared: facts.isWhole ? row.shared : null,
    changedBefore: facts.changes.get(id) ?? [],
    state,
    acknowledged: row.acknowledgedBy === null ? null : { actor: row.acknowledgedBy, at: row.acknowledgedAt ?? now },
    formerly, // the acknowledgment that its relapse ended
    mute,
    ...memoryOf(id, facts.remembered.get(id) ?? []),
  };
}

async function incidentRowsOf(db: Db, ids: readonly number[], watchId: string, now: Date) {
  const isMuted = and(eq(mutes.watchId, watchId), eq(mutes.incidentId, incidents.id), gt(mutes.until, now));
  const { actor, from, until } = mutes;
  const mute = db.select({ actor, from, until }).from(mutes).where(isMuted).orderBy(desc(until)).limit(1).as('mute');
  const isIn = eq(environments.environment, incidents.environment);
  const all = db.select().from(incidents).innerJoin(environments, isIn).leftJoinLateral(mute, sql`true`);
  const rows = await all.where(inArray(incidents.id, [...ids]));
  return rows.map(({ incidents: incident, environments: { checkedTo, clockAheadMs, problem }, mute }) => {
    return { ...incident, checkedTo, clockAheadMs, problem, mute };
  });
}

type InWorkflow = Omit<WorkflowShare, 'attempts'>;

function workflowsOf(db: Db, ids: readonly number[]) {
  const { incidentId, workflow, failures: count, critical } = incidentWorkflows;
  const named = sql<string | null>`NULLIF(${workflow}, '')`.as('named');
  const rows = db.select({ ...getTableColumns(incidentWorkflows), workflow: named }).from(incidentWorkflows);
  return rows.where(inArray(incidentId, [...ids])).orderBy(desc(critical), desc(count), workflow);
}

/** `isEarlier`: only failures before the relapse match. An incident without a match is missing, and shown whole. */
async function matchedOf(db: Db, rows: readonly Row[], filter: WatchFilter) {
  const matched = new Map<number, MatchedIncident & { isEarlier: boolean }>();
  for (const environment of new Set(rows.map((row) => row.environment))) {
    const here = rows.filter((row) => row.environment === environment);
    const sinceStart = here.map(({ id, startedSeq: afterSeq }) => ({ id, afterSeq }));
    const current = await matchedIn(db, environment, sinceStart, filter);
    const relapsed = sinceStart.filter(({ id, afterSeq }) => afterSeq > 0 && !current.has(id));
    const sinceFirst = relapsed.map(({ id }) => ({ id, afterSeq: 0 }));
    for (const [id, share] of current) matched.set(id, { ...share, isEarlier: false });
    for (const [id, share] of await matchedIn(db, environment, sinceFirst, filter))
      matched.set(id, { ...share, isEarlier: true });
  }
  return matched;
}

/** A change can be of the one workflow that fails. */
function explainableBy(row: Row, workflows: readonly InWorkflow[]) {
  const firstFailureAt = addMilliseconds(row.startedAt, lagMs(row.clockAheadMs));
  const workflow = workflows.length === 1 ? (workflows[0]?.workflow ?? null) : null;
  return { ...row, workflow, firstFailureAt };
}

function stateOf({ state, stateAt, lastAt, resolvedBy, gapId }: Row): StateNow {
  if (state === 'firing') return { is: state };
  if (state === 'resolved') return { is: state, at: stateAt, actor: resolvedBy };
  return { is: state, since: gapId === null ? lastAt : stateAt };
}

const NOTE_COLUMNS = `n.actor, n.at, n.change ->> 'text' AS text`;
const IS_NOTE = `n.change ->> 'action' = 'noted' AND n.change ? 'text'`;

export function notesOf(db: Db, id: number, limit: number): Promise<Note[]> {
  const notes = `SELECT ${NOTE_COLUMNS} FROM audit n WHERE ${IS_NOTE} AND n.incident_id = $1 ORDER BY n.id DESC LIMIT $2`;
  return db.rows(NoteRow, notes, [id, limit]);
}

const RememberedRow = NoteRow.extend({ forId: Count, id: Count, from: z.date() });
const FormerRow = z.object({ incidentId: Count, actor: z.string(), at: z.date() });

/** The last acknowledgment before a relapse, unless somebody took it back. */
const FORMERLY = `
  SELECT i.id AS incident_id, last.actor, last.at FROM incidents i CROSS JOIN LATERAL (
    SELECT * FROM audit a WHERE a.incident_id = i.id AND a.change ->> 'action' IN ('acknowledged', 'unacknowledged', 'reopened')
    ORDER BY a.id DESC LIMIT 1
  ) last
  WHERE i.id IN ${idsIn('$1')} AND i.relapses > 0 AND i.acknowledged_by IS NULL AND last.change ->> 'action' = 'acknowledged'`;

function memoryOf(id: number, remembered: readonly z.output<typeof RememberedRow>[]) {
  const [note = null, earlierNote = null] = remembered.filter((row) => row.id === id).map(noteIn);
  const last = remembered.find((row) => row.id !== id);
  return { note, earlierNote, lastTime: last ? { from: last.from, note: noteIn(last) } : null };
}

const noteIn = ({ actor, at, text }: Note) => ({ actor, at, text });

/** The two newest notes of an incident and earlier ones of its key. */
const REMEMBERED = `
  SELECT i.id AS for_id, n.* FROM incidents i CROSS JOIN LATERAL (
    SELECT p.id, n.id AS note_id, p.first_at AS "from", ${NOTE_COLUMNS} FROM incidents p JOIN audit n ON n.incident_id = p.id AND ${IS_NOTE}
    WHERE p.key = i.key AND p.id <= i.id ORDER BY p.id DESC, n.id DESC LIMIT 2
  ) n WHERE i.id IN ${idsIn('$1')} ORDER BY i.id, n.id DESC, n.note_id DESC`;
