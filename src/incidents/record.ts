import { min, subMilliseconds } from 'date-fns';
import { and, eq, gte, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type ExplainCause, errorOf } from '../causes/explain-cause.ts';
import { type Failure, WATCHED } from '../failures/failure.ts';
import { isHarmless } from '../failures/verdict.ts';
import { lagMs } from '../lib/time/service-clock.ts';
import { Count, type Db, jsonOf, rowsOf } from '../store/db.ts';
import { incidents, incidentWorkflows } from '../store/schema.ts';
import { type IncidentKind, type IncidentRow, idsIn, keyOf, kindOf } from './incident.ts';
import { redraw } from './messages.ts';
import { courseAfter, type IncidentState, join, SAME_INCIDENT_MS } from './state.ts';

interface Item {
  failure: Failure;
  kind: IncidentKind;
  key: string;
  occurredAt: Date;
}

interface Recording {
  now: Date;
  clockAheadMs: number | null;
  explainCause: ExplainCause;
}

const MOST_LABELS = 500;

const SeqRow = z.object({ seq: Count });
const RemovedRow = z.object({ incidentId: Count });

/** The environment's row must be locked. */
export async function recordFailures(tx: Db, environment: string, failures: readonly Failure[], recording: Recording) {
  if (failures.length === 0) return;
  const { now } = recording;
  const items = failures.map((failure): Item => {
    const kind = kindOf(environment, failure);
    const occurredAt = min([now, failure.occurredAt ?? failure.eventCreatedAt ?? now]);
    return { failure, kind, key: keyOf(kind), occurredAt };
  });
  const keys = [...new Set(items.map(({ key }) => key))];
  const earliest = min(items.map(({ occurredAt }) => occurredAt));
  const isNear = and(inArray(incidents.key, keys), gte(incidents.lastAt, subMilliseconds(earliest, SAME_INCIDENT_MS)));
  // A person's [Resolve] and this take turns.
  const known = await tx.select().from(incidents).where(isNear).orderBy(incidents.id).for('no key update');
  const rows: (Item & { incidentId: number })[] = [];
  for (const key of keys) {
    const sameKey = known.filter((incident) => incident.key === key);
    const itsItems = items.filter((item) => item.key === key);
    const { joined, begun } = join(itsItems, sameKey.map(joinable));
    rows.push(...joined.map(({ item, id }) => ({ ...item, incidentId: id })));
    for (const incident of sameKey) {
      const times = joined.filter(({ id }) => id === incident.id).map(({ item }) => item.occurredAt);
      await fireAgain(tx, incident, times, recording);
    }
    for (const some of begun) {
      const incidentId = await begin(tx, some, recording);
      rows.push(...some.map((item) => ({ ...item, incidentId })));
    }
  }
  await removeHarmless(tx, environment, failures, now);
  const added = await tx.rows(SeqRow, ADD, [environment, now, rowsOf(rows.map(itemOf))]);
  if (added.length === 0) return;
  const seqs = added.map(({ seq }) => seq);
  await tx.write(COUNT, [jsonOf(seqs), Math.min(...seqs), now]);
  await tx.write(COUNT_WORKFLOWS, [jsonOf(seqs)]);
}

/** What was counted as failed is recorded anew once it turned out to be none. */
async function removeHarmless(tx: Db, environment: string, failures: readonly Failure[], now: Date): Promise<void> {
  const harmless = failures.filter(({ verdict }) => isHarmless(verdict));
  if (harmless.length === 0) return;
  const removed = await tx.rows(RemovedRow, REMOVE, [environment, rowsOf(harmless)]);
  if (removed.length === 0) return;
  const ids = removed.map(({ incidentId }) => incidentId);
  await tx.write(COUNT_AGAIN, [jsonOf(ids)]);
  await tx.write(COUNT_WORKFLOWS_AGAIN, [jsonOf(ids)]);
  await redraw(tx, ids, now);
}

function joinable({ id, firstAt, lastAt, isRecipients, state, announcement }: IncidentRow) {
  // What is only counted never fires, so nothing ends it.
  const isOver = isRecipients && state === 'resolved' && WATCHED.includes(announcement);
  return { id, firstAt, lastAt, closedAt: isOver ? lastAt : null };
}

async function fireAgain(tx: Db, incident: IncidentRow, times: readonly Date[], { now, clockAheadMs }: Recording) {
  const { id, state, lastAt, stateAt, announcement } = incident;
  if (!WATCHED.includes(announcement)) return;
  const endedAt = subMilliseconds(stateAt, lagMs(clockAheadMs));
  const courseOf = (at: Date) => courseAfter({ state, lastAt, endedAt }, at);
  const relapses = times.filter((at) => courseOf(at) === 'relapses');
  const isRelapse = relapses.length > 0;
  if (!isRelapse && !times.some((at) => courseOf(at) === 'fires')) return;
  const fired = { state: 'firing', stateAt: now, ...(isRelapse && { ...RELAPSED, startedAt: min(relapses) }) } as const;
  await tx.update(incidents).set(fired).where(eq(incidents.id, id));
  if (isRelapse) await tx.delete(incidentWorkflows).where(eq(incidentWorkflows.incidentId, id));
  await redraw(tx, [id], now);
}

/** Whoever acknowledged it might not be working on it any more; who it is assigned to stays. */
const RELAPSED = {
  startedSeq: sql`${incidents.newestSeq}`,
  relapses: sql`${incidents.relapses} + 1`,
  failures: 0,
  subscribers: 0,
  critical: false,
  verdicts: [],
  severities: [],
  acknowledgedBy: null,
  acknowledgedAt: null,
  resolvedBy: null,
};

async function begin(tx: Db, items: readonly [Item, ...Item[]], { now, explainCause }: Recording): Promise<number> {
  const [{ key, kind, occurredAt: at }] = items;
  const { cause, ...identity } = kind;
  const explained = explainCause(errorOf(kind));
  const isRecipients = explained.known && explained.entry.whose === 'recipient';
  const headline = explained.known ? explained.entry.headline : null;
  const state: IncidentState = WATCHED.includes(kind.announcement) ? 'firing' : 'resolved';
  const described = { key, ...identity, causeText: cause.text, causeKey: cause.key, headline, isRecipients, state };
  const times = { stateAt: now, lastRecordedAt: now, firstAt: at, startedAt: at, lastAt: at };
  const [begun] = await tx
    .insert(incidents)
    .values({ ...described, ...times })
    .returning({ id: incidents.id });
  if (begun === undefined) throw new Error('an incident was not begun');
  return begun.id;
}

function itemOf({ failure, occurredAt, incidentId }: Item & { incidentId: number }) {
  const most = (labels: readonly string[]) => labels.slice(0, MOST_LABELS);
  const labels = { topics: most(failure.topics), contexts: most(failure.contexts), tags: most(failure.tags) };
  const eventCreatedAt = failure.eventCreatedAt ?? occurredAt;
  return { ...failure, ...labels, incidentId, occurredAt, eventCreatedAt };
}

const COLUMNS = `event_key, job_id, detail_id, incident_id, workflow, workflow_name, verdict, occurred_at, event_created_at, event_id,
    transaction_id, subscriber_id, severity, critical, topics, contexts, tags`;

const ADD = `
  INSERT INTO failures (environment, recorded_at, ${COLUMNS})
  SELECT $1, $2, ${COLUMNS} FROM jsonb_populate_recordset(NULL::failures, $3::jsonb) ON CONFLICT DO NOTHING RETURNING seq`;

/** OFFSET 0: else the planner takes the index of the incident, and reads all of it for each failure. */
const ADDED = `
  SELECT f.*, NOT EXISTS (
    SELECT FROM (SELECT * FROM failures o WHERE o.incident_id = f.incident_id AND o.subscriber_id = f.subscriber_id OFFSET 0) o
    WHERE o.seq > i.started_seq AND o.seq < $2) AS is_new_subscriber
  FROM failures f JOIN incidents i ON i.id = f.incident_id WHERE f.seq IN ${idsIn('$1')}`;

const COUNT = `
  UPDATE incidents i SET recorded = i.recorded + sum.failures, failures = i.failures + sum.failures,
    subscribers = i.subscribers + sum.subscribers, first_at = LEAST(i.first_at, sum.first_at), last_at = GREATEST(i.last_at, sum.last_at),
    started_at = CASE WHEN i.relapses = 0 THEN LEAST(i.started_at, sum.first_at) ELSE i.started_at END,
    newest_seq = sum.newest_seq, last_recorded_at = GREATEST(i.last_recorded_at, $3), critical = i.critical OR sum.critical,
    verdicts = ARRAY(SELECT DISTINCT unnest(i.verdicts || sum.verdicts)),
    severities = ARRAY(SELECT DISTINCT unnest(i.severities || sum.severities))
  FROM (
    SELECT incident_id, count(*) AS failures,
      count(DISTINCT subscriber_id) FILTER (WHERE is_new_subscriber) AS subscribers, min(occurred_at) AS first_at, max(occurred_at) AS last_at,
      max(seq) AS newest_seq, bool_or(critical) AS critical, array_agg(DISTINCT verdict) AS verdicts,
      coalesce(array_agg(DISTINCT severity) FILTER (WHERE severity IS NOT NULL), '{}') AS severities
    FROM (${ADDED}) added GROUP BY incident_id
  ) sum WHERE i.id = sum.incident_id`;

const COUNT_WORKFLOWS = `
  INSERT INTO incident_workflows AS w (incident_id, workflow, workflow_name, failures, critical)
  SELECT incident_id, coalesce(workflow, ''), max(workflow_name), count(*), bool_or(critical)
  FROM failures WHERE seq IN ${idsIn('$1')} GROUP BY 1, 2
  ON CONFLICT (incident_id, workflow) DO UPDATE SET failures = w.failures + EXCLUDED.failures, critical = w.critical OR EXCLUDED.critical`;

export const IS_ITEM =
  'f.environment = $1 AND f.event_key = item.event_key AND f.job_id = item.job_id AND f.detail_id = item.detail_id';
const REMOVE = `
  DELETE FROM failures f USING jsonb_populate_recordset(NULL::failures, $2::jsonb) AS item WHERE ${IS_ITEM} RETURNING f.incident_id`;

const COUNT_AGAIN = `
  UPDATE incidents i SET (failures, subscribers, critical, newest_seq) = (
    SELECT count(*), count(DISTINCT subscriber_id), coalesce(bool_or(f.critical), false), coalesce(max(seq), i.newest_seq)
    FROM failures f WHERE f.incident_id = i.id AND seq > i.started_seq)
  WHERE i.id IN ${idsIn('$1')}`;

const COUNT_WORKFLOWS_AGAIN = `
  UPDATE incident_workflows w SET (failures, critical) = (
    SELECT count(*), coalesce(bool_or(f.critical), false)
    FROM failures f JOIN incidents i ON i.id = f.incident_id
    WHERE i.id = w.incident_id AND coalesce(f.workflow, '') = w.workflow AND seq > i.started_seq)
  WHERE w.incident_id IN ${idsIn('$1')}`;
