import { min, subMilliseconds } from 'date-fns';
import { and, eq, getTableColumns, gte, inArray, sql } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import { z } from 'zod';
import { copyEntries } from '../audit/audit.ts';
import type { ExplainCause } from '../causes/explain-cause.ts';
import { type StorableLabels, storableId, storableLabels } from '../failures/filter.ts';
import { type Failure, TRACKED, verdictClassOf } from '../failures/judge.ts';
import { groupBy } from '../lib/group-by.ts';
import { inPieces } from '../lib/pauses.ts';
import { boundedId, maybeBoundedId, type StorableRow } from '../lib/text/shown-id.ts';
import { ERASED, wholeWord } from '../lib/text/whole-word.ts';
import { byLaggingClock } from '../lib/time/service-clock.ts';
import { copyAlerts, idsIn, noteMoved, redraw } from '../outbox/messages.ts';
import { Count, type Db, jsonOf, onlyRow, rowsOf } from '../store/db.ts';
import { erasedAmong } from '../store/erased.ts';
import { copyMutes } from '../watches/mutes.ts';
import { notifyFollowers } from './actions.ts';
import { SUMS } from './counts.ts';
import { type IncidentRow, keyOf } from './incident.ts';
import { type EventReading, type Reconciled, reconcile } from './reconcile.ts';
import { effectOf, firingSince, join, SAME_INCIDENT_MS } from './state.ts';
import { storedFailures } from './stored-failures.ts';
import { incidents, incidentWorkflows, failures as table } from './tables.ts';

type Added = readonly Reconciled['added'][number][];

type Addition = Added[number] & { key: string; occurredAt: Date; recordedAt: Date };
type Recording = { now: Date; clockAheadMs: number | null; explainCause: ExplainCause };

const MOST_LABELS = 500;

const IdRow = z.object({ id: Count });
const SeqRow = z.object({ seq: Count });

/** One event can fail thousands of times, and a statement takes longer than so many rows do one by one. */
const ROWS_A_TURN = 100;

/** Needs a lock on the environment. */
export async function recordReadings(
  tx: Db,
  environment: string,
  readings: readonly EventReading[],
  recording: Recording,
) {
  const eventKeys = readings.map(({ eventKey }) => eventKey);
  const stored = await storedFailures(tx, environment, eventKeys);
  const changes = reconcile(readings, stored, (failure) => keyOf(environment, failure));
  const { added, updated, removed } = changes;
  for await (const rows of inPieces(removed, ROWS_A_TURN)) await tx.write(REMOVE, [jsonOf(rows.map(({ seq }) => seq))]);
  for await (const rows of inPieces(updated, ROWS_A_TURN)) await tx.write(UPDATE, [rowsOf(rows)]);
  for await (const rows of inPieces(added, ROWS_A_TURN)) await recordAdded(tx, environment, rows, recording);
  const rejudged = updated.filter(({ hasNewVerdict }) => hasNewVerdict);
  const miscounted = [...new Set([...removed, ...rejudged].map(({ incidentId }) => incidentId))];
  for await (const ids of inPieces(miscounted, ROWS_A_TURN)) {
    await tx.write(COUNT_AGAIN, [jsonOf(ids)]);
    await tx.delete(incidentWorkflows).where(inArray(incidentWorkflows.incidentId, [...ids]));
    await tx.write(COUNT_ALL_WORKFLOWS, [jsonOf(ids)]);
    await redraw(tx, ids, recording.now);
  }
  return changes;
}

async function recordAdded(tx: Db, environment: string, added: Added, recording: Recording) {
  const { now } = recording;
  const subscriberIds = added.flatMap(({ failure }) => failure.subscriberId ?? []).map(storableId);
  const erased = await erasedAmong(tx, subscriberIds, now);
  const additions = added.map((row): Addition => {
    const { failure: read, recordedAt } = row;
    const failure = erased.size > 0 && erased.has(storableId(read.subscriberId ?? '')) ? withoutSubscriber(read) : read;
    const occurredAt = min([now, failure.occurredAt ?? failure.eventCreatedAt ?? now]);
    return { ...row, failure, key: keyOf(environment, read), occurredAt, recordedAt: recordedAt ?? now };
  });
  const byKey = groupBy(additions, ({ key }) => key);
  const keys = [...byKey.keys()];
  const earliest = min(additions.map(({ occurredAt }) => occurredAt));
  const isNear = and(inArray(incidents.key, keys), gte(incidents.lastAt, subMilliseconds(earliest, SAME_INCIDENT_MS)));
  const known = await tx.select().from(incidents).where(isNear).orderBy(incidents.id).for('no key update');
  const affected: { id: number; items: readonly Addition[]; isStart: boolean }[] = [];
  const knownByKey = groupBy(known, ({ key }) => key);
  for (const [key, alike] of byKey) {
    const { joined, begun } = join(alike, (knownByKey.get(key) ?? []).map(joinable));
    for (const { incident, items } of joined) {
      const times = items.map(({ occurredAt }) => occurredAt);
      const isStart = (await fireOrRelapse(tx, incident, times, recording)) === 'relapses';
      affected.push({ id: incident.id, items, isStart });
    }
    for (const items of begun)
      affected.push({ id: await begin(tx, environment, items, recording), items, isStart: true });
  }
  const labels: KnownLabels = new Map();
  const rows = affected.flatMap(({ id, items }) => items.map((item) => rowOf(item, id, labels)));
  const seqs = (await tx.rows(SeqRow, ADD, [environment, rowsOf(rows)])).map(({ seq }) => seq);
  if (seqs.length === 0) return;
  await tx.write(COUNT, [jsonOf(seqs), Math.min(...seqs), now]);
  await tx.write(COUNT_WORKFLOWS, [jsonOf(seqs)]);
  for (const { id, items, isStart } of affected) {
    const origins = items.flatMap(({ from }) => from ?? []);
    if (isStart && origins.length === items.length) await takeOver(tx, id, origins);
    else if (origins.length > 0) await noteMoved(tx, id, origins);
  }
}

/** An incident of moved failures alone takes over the newest origin's state, people, mutes and alerts: an open one's first. */
async function takeOver(tx: Db, id: number, origins: readonly number[]) {
  for (const from of await tx.rows(IdRow, TAKE_OVER, [id, jsonOf(origins), jsonOf(TRACKED)]))
    for (const copy of [copyMutes, copyAlerts, copyEntries]) await copy(tx, id, from.id);
}

const TAKE_OVER = `
  UPDATE incidents i SET state = o.state, state_at = o.state_at, resolved_by = o.resolved_by, assigned_to = coalesce(o.assigned_to, i.assigned_to),
    acknowledged_by = o.acknowledged_by, acknowledged_at = o.acknowledged_at, successes_needed = o.successes_needed
  FROM (SELECT * FROM incidents WHERE id IN ${idsIn('$2')} ORDER BY state = 'resolved', id DESC LIMIT 1) o
  WHERE i.id = $1 AND $3::jsonb ? i.announcement AND o.announcement = i.announcement RETURNING o.id`;

function joinable(incident: IncidentRow) {
  // A recipient's trouble that returns is a new incident. One that is only counted stays joinable.
  const isEnded = incident.isRecipientFault && incident.state === 'resolved' && TRACKED.includes(incident.verdictClass);
  return { ...incident, joinableTo: isEnded ? incident.lastAt : null };
}

export async function fireOrRelapse(
  tx: Db,
  incident: IncidentRow,
  failedAt: readonly Date[],
  { now, clockAheadMs }: Omit<Recording, 'explainCause'>,
) {
  const { id, state, startedAt, lastAt, stateAt, verdictClass } = incident;
  if (!TRACKED.includes(verdictClass)) return 'stays';
  // `stateAt` is by our clock, failures by the service's: where that lags, the end was earlier.
  const endedAt = byLaggingClock(stateAt, clockAheadMs);
  const effectAt = (at: Date) => effectOf({ state, lastAt, endedAt }, at);
  const relapses = failedAt.filter((at) => effectAt(at) === 'relapses');
  const isRelapse = relapses.length > 0;
  if (!isRelapse && !failedAt.some((at) => effectAt(at) === 'fires')) return 'stays';
  const relapsed = isRelapse && { ...RELAPSED, startedAt: min(relapses) };
  const fired = { state: 'firing', stateAt: firingSince(incident, startedAt, now), ...relapsed } as const;
  await tx.update(incidents).set(fired).where(eq(incidents.id, id));
  await redraw(tx, [id], now);
  if (!isRelapse) return 'fires';
  await tx.delete(incidentWorkflows).where(eq(incidentWorkflows.incidentId, id));
  await notifyFollowers(tx, [id], 'back', { actor: null, now });
  return 'relapses';
}

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
  shared: null,
};

/** Texts that are scrubbed or our own. */
type OwnText = 'causeText' | 'causeKey' | 'key' | 'environment' | 'headline' | People;
type People = 'acknowledgedBy' | 'resolvedBy' | 'assignedTo';

async function begin(tx: Db, environment: string, items: readonly [Addition, ...Addition[]], recording: Recording) {
  const { now, explainCause } = recording;
  const [{ key, failure, occurredAt: at }] = items;
  const { channel, provider, cause, isTest } = failure;
  const verdictClass = verdictClassOf(failure.verdict);
  const { headline = null, whose = null } = explainCause(failure).entry ?? {};
  const isRecipientFault = whose === 'recipient' || items.every(({ failure }) => failure.verdict === 'complained');
  const row: StorableRow<typeof incidents.$inferInsert, OwnText> = {
    key,
    environment,
    channel: boundedId(channel),
    provider: maybeBoundedId(provider),
    verdictClass,
    isTest,
    causeText: cause.text,
    causeKey: cause.key,
    headline,
    isRecipientFault,
    isFaultUnknown: whose === 'unknown',
    state: TRACKED.includes(verdictClass) ? 'firing' : 'resolved',
    stateAt: now,
    lastRecordedAt: now,
    firstAt: at,
    startedAt: at,
    lastAt: at,
  };
  return onlyRow(await tx.insert(incidents).values(row).returning({ id: incidents.id })).id;
}

type Row = StorableRow<Omit<typeof table.$inferInsert, 'environment'>>;

/** By lists of an event: scrubbing its labels for each of its failures would be slow. */
type KnownLabels = Map<string, StorableLabels>;

function labelsOf({ topics, contexts, tags }: Failure, known: KnownLabels) {
  const most = (labels: readonly string[]) => labels.slice(0, MOST_LABELS);
  const lists = { topics: most(topics), contexts: most(contexts), tags: most(tags) };
  const key = JSON.stringify(lists);
  const labels = known.get(key) ?? storableLabels(lists);
  known.set(key, labels);
  return labels;
}

function rowOf({ failure, asOf, occurredAt, recordedAt }: Addition, incidentId: number, known: KnownLabels): Row {
  const { subscriberId, workflowName } = failure;
  return {
    ...failure,
    ...labelsOf(failure, known),
    incidentId,
    asOf,
    occurredAt,
    recordedAt,
    eventKey: boundedId(failure.eventKey),
    eventId: maybeBoundedId(failure.eventId),
    transactionId: boundedId(failure.transactionId),
    jobId: boundedId(failure.jobId),
    provider: boundedId(failure.provider ?? ''),
    workflow: maybeBoundedId(failure.workflow),
    severity: maybeBoundedId(failure.severity),
    eventCreatedAt: failure.eventCreatedAt ?? occurredAt,
    workflowName: workflowName === null ? null : storableId(workflowName),
    subscriberId: subscriberId === null ? null : storableId(subscriberId),
  };
}

const { environment: _, seq: __, ...INSERTED } = getTableColumns(table);
const COLUMNS = Object.keys(INSERTED).map(toSnakeCase).join(', ');

const ADD = `
  INSERT INTO failures (environment, ${COLUMNS})
  SELECT $1, ${COLUMNS} FROM jsonb_populate_recordset(NULL::failures, $2::jsonb) ON CONFLICT DO NOTHING RETURNING seq`;

/** Without OFFSET 0, the planner reads the whole incident for each failure. */
const ADDED = `
  SELECT f.*, NOT EXISTS (
    SELECT FROM (SELECT * FROM failures o WHERE o.incident_id = f.incident_id AND o.subscriber_id = f.subscriber_id OFFSET 0) o
    WHERE o.seq > i.started_seq AND o.seq < $2) AS is_new_subscriber
  FROM failures f JOIN incidents i ON i.id = f.incident_id WHERE f.seq IN ${idsIn('$1')}`;

/** A late failure from before the last relapse doesn't move `started_at`. */
const COUNT = `
  UPDATE incidents i SET recorded = i.recorded + sum.failures, failures = i.failures + sum.failures,
    subscribers = i.subscribers + sum.subscribers, first_at = LEAST(i.first_at, sum.first_at), last_at = GREATEST(i.last_at, sum.last_at),
    started_at = CASE WHEN sum.first_at < i.started_at AND NOT EXISTS (
      SELECT FROM failures f WHERE f.incident_id = i.id AND f.seq <= i.started_seq AND f.occurred_at >= sum.first_at
    ) THEN sum.first_at ELSE i.started_at END,
    newest_seq = sum.newest_seq, last_recorded_at = GREATEST(i.last_recorded_at, $3), critical = i.critical OR sum.critical,
    verdicts = ARRAY(SELECT DISTINCT unnest(i.verdicts || sum.verdicts)),
    severities = ARRAY(SELECT DISTINCT unnest(i.severities || sum.severities))
  FROM (
    SELECT incident_id, count(DISTINCT subscriber_id) FILTER (WHERE is_new_subscriber) AS subscribers, ${SUMS}
    FROM (${ADDED}) added GROUP BY incident_id
  ) sum WHERE i.id = sum.incident_id`;

const countWorkflows = (condition: string) => `
  INSERT INTO incident_workflows AS w (incident_id, workflow, workflow_name, failures, critical)
  SELECT incident_id, coalesce(f.workflow, ''), max(f.workflow_name), count(*), bool_or(f.critical)
  FROM failures f JOIN incidents i ON i.id = f.incident_id WHERE ${condition} GROUP BY 1, 2
  ON CONFLICT (incident_id, workflow) DO UPDATE SET failures = w.failures + EXCLUDED.failures, critical = w.critical OR EXCLUDED.critical`;

const COUNT_WORKFLOWS = countWorkflows(`f.seq IN ${idsIn('$1')}`);
const COUNT_ALL_WORKFLOWS = countWorkflows(`i.id IN ${idsIn('$1')} AND f.seq > i.started_seq`);

const REMOVE = `DELETE FROM failures WHERE seq IN ${idsIn('$1')}`;

const UPDATE = `
  UPDATE failures f SET verdict = item.verdict, as_of = item.as_of FROM jsonb_populate_recordset(NULL::failures, $1::jsonb) AS item
  WHERE f.seq = item.seq`;

/** An incident that lost all its failures still shows what it was. */
const COUNT_AGAIN = `
  UPDATE incidents i SET (failures, subscribers, critical, newest_seq, verdicts, severities) = (
    SELECT count(*), count(DISTINCT subscriber_id), coalesce(bool_or(f.critical), false), coalesce(max(seq), i.newest_seq),
      coalesce(array_agg(DISTINCT verdict), i.verdicts),
      coalesce(array_agg(DISTINCT severity) FILTER (WHERE severity IS NOT NULL), CASE count(*) WHEN 0 THEN i.severities ELSE '{}' END)
    FROM failures f WHERE f.incident_id = i.id AND seq > i.started_seq)
  WHERE i.id IN ${idsIn('$1')}`;

/** Returns incidents that nobody else has failures in. */
export async function incidentsOnlyOf(db: Db, subscriberId: string): Promise<ReadonlySet<number>> {
  const { incidentId } = table;
  const theirs = db.select({ incidentId }).from(table).where(eq(table.subscriberId, subscriberId));
  const isAlone = sql`bool_and(subscriber_id IS NOT DISTINCT FROM ${subscriberId})`;
  const known = db.select({ incidentId }).from(table).where(inArray(incidentId, theirs));
  const rows = await known.groupBy(incidentId).having(isAlone);
  return new Set(rows.map((row) => row.incidentId));
}

/** What an erasure leaves of a failure. A cause's key has no IDs with digits, but codes. */
function withoutSubscriber(failure: Failure): Failure {
  const id = storableId(failure.subscriberId ?? '');
  const [{ text, key }, word] = [failure.cause, wholeWord(id)];
  const isCode = /\p{N}/u.test(id) && key.search(word) >= 0;
  const cause = isCode ? { text, key } : { text: text.replace(word, ERASED), key: key.replace(word, ERASED) };
  const labels = { transactionId: failure.eventId ?? '', topics: [], contexts: [], tags: [] };
  return { ...failure, ...labels, subscriberId: null, cause };
}

/** The rows stay: a re-check would record their failures again. */
export const eraseFromFailures = (tx: Db, subscriberId: string): Promise<number> => tx.write(ERASE, [subscriberId]);

const ERASE = `
  UPDATE failures SET subscriber_id = NULL, transaction_id = coalesce(event_id, ''), topics = '{}', contexts = '{}', tags = '{}'
  WHERE subscriber_id = $1`;
