import { addMilliseconds, max, min, subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { gravest, highestSeverity, type Tally } from '../domain/failures/failure.ts';
import type { Traffic } from '../domain/failures/traffic.ts';
import { MINUTE_MS } from '../domain/time/durations.ts';
import { datedAheadMs } from '../domain/time/service-clock.ts';
import type { Db } from '../store/db.ts';
import { Count } from '../store/row.ts';
import { jsonOf } from '../store/values.ts';
import { EVERYTHING, type WatchFilter } from '../watches/settings.ts';
import { attemptsOf, type TriedIn } from './attempts.ts';
import { changesBefore } from './changes-before.ts';
import { type IncidentNow, MOST_WORKFLOWS, SHARE_MS, type StateNow, type WorkflowShare } from './incident.ts';
import { coversAll, type Matched, matchedIn, sumOf } from './matched.ts';
import { memoriesOf } from './memories.ts';
import { IncidentRow, idsIn } from './rows.ts';
import { sharedLabelOf } from './shared-labels.ts';

const Beside = z.object({
  checked_to: z.date(),
  clock_ahead_ms: Count.nullable(),
  event_id: z.string().nullable(),
  transaction_id: z.string().nullable(),
  subscriber_id: z.string().nullable(),
  muted_by: z.string().nullable(),
  muted_at: z.date().nullable(),
  muted_until: z.date().nullable(),
});
const Row = IncidentRow.and(Beside);
type Row = z.output<typeof Row>;

/** Whom it is shown to: a watch shows what it covers, and its own mute. */
export interface Viewer {
  readonly watchId: string;
  readonly filter: WatchFilter;
}

/** An environment whose service was read this long ago shows its numbers as of then. */
const STALE_MS = 2 * MINUTE_MS;

export async function incidentsNow(
  sql: Db,
  ids: readonly number[],
  viewer: Viewer | null,
  now: Date,
  traffic: Traffic | null = null,
): Promise<ReadonlyMap<number, IncidentNow>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.rows(Row, ROWS, [jsonOf(ids), viewer?.watchId ?? null, now]);
  const filter = viewer?.filter ?? EVERYTHING;
  const isWhole = coversAll(filter);
  const matched = isWhole ? null : await partlyOf(sql, rows, filter);
  const workflows: ReadonlyMap<number, readonly InWorkflow[]> = matched ?? (await workflowsOf(sql, ids));
  const tried = isWhole ? await attemptsOf(sql, rows.filter(hasAttempts).map(windowOf(now))) : new Map();
  const memories = await memoriesOf(sql, ids);
  const changes = await changesBefore(
    sql,
    rows.map((row) => explained(row, workflows.get(row.id) ?? [])),
  );
  const incidents = new Map<number, IncidentNow>();
  for (const row of rows) {
    const shared = traffic === null || !isWhole || row.state === 'resolved' ? null : sharedLabelOf(sql, row, traffic);
    const covered = matched && (matched.get(row.id) ?? []);
    const incident = incidentOf(row, workflows.get(row.id) ?? [], covered, tried.get(row.id) ?? null, now);
    const beside = { shared: await shared, changedBefore: changes.get(row.id) ?? null };
    incidents.set(row.id, { ...incident, ...beside, ...(memories.get(row.id) ?? { note: null, lastTime: null }) });
  }
  return incidents;
}

const ROWS = `
  SELECT i.*, c.checked_to, c.clock_ahead_ms, f.event_id, f.transaction_id, f.subscriber_id,
    m.muted_by, m.muted_at, m.until AS muted_until
  FROM incidents i JOIN environments c ON c.environment = i.environment LEFT JOIN failures f ON f.seq = i.newest_seq
  LEFT JOIN LATERAL (
    SELECT muted_by, muted_at, until FROM mutes WHERE watch_id = $2 AND incident_id = i.id AND until > $3 ORDER BY until DESC LIMIT 1
  ) m ON true
  WHERE i.id IN ${idsIn('$1')}`;

/** Some of an incident's failures in one workflow. */
type InWorkflow = Pick<Matched, 'workflow' | 'workflowName' | 'failures' | 'critical'>;

const WorkflowRow = z
  .object({
    incident_id: Count,
    workflow: z.string(),
    workflow_name: z.string().nullable(),
    failures: Count,
    critical: z.boolean(),
  })
  .transform((row) => ({
    incidentId: row.incident_id,
    workflow: row.workflow === '' ? null : row.workflow,
    workflowName: row.workflow_name,
    failures: row.failures,
    critical: row.critical,
  }));

async function workflowsOf(sql: Db, ids: readonly number[]): Promise<ReadonlyMap<number, readonly InWorkflow[]>> {
  const all = `SELECT * FROM incident_workflows WHERE incident_id IN ${idsIn('$1')} ORDER BY critical DESC, failures DESC, workflow`;
  const workflows = new Map<number, InWorkflow[]>();
  for (const { incidentId, ...row } of await sql.rows(WorkflowRow, all, [jsonOf(ids)])) {
    workflows.set(incidentId, [...(workflows.get(incidentId) ?? []), row]);
  }
  return workflows;
}

/** What a watch was told of stays in its rows as a whole if its filter covers none of it any more. */
async function partlyOf(sql: Db, rows: readonly Row[], filter: WatchFilter) {
  const matched = new Map<number, readonly Matched[]>();
  for (const environment of new Set(rows.map((row) => row.environment))) {
    const incidents = rows
      .filter((row) => row.environment === environment)
      .map(({ id, startedSeq: afterSeq }) => ({ id, afterSeq }));
    for (const [id, some] of await matchedIn(sql, environment, incidents, filter)) matched.set(id, some);
  }
  return matched;
}

function hasAttempts({ announcement }: Row): boolean {
  return announcement === 'announced';
}

/** Since it started, in the last five minutes at most, until its environment was read. */
function windowOf(now: Date) {
  return (row: Row) => {
    const { id, environment, channel, provider, startedAt, lastAt, checkedTo } = {
      ...row,
      checkedTo: checkedBy(row, now),
    };
    const to = max([checkedTo, lastAt]);
    return { id, environment, channel, provider, from: max([startedAt, subMilliseconds(to, SHARE_MS)]), to };
  };
}

function checkedBy({ checked_to, clock_ahead_ms }: Row, now: Date): Date {
  return min([checked_to, addMilliseconds(now, datedAheadMs(clock_ahead_ms))]);
}

function explained(row: Row, workflows: readonly InWorkflow[]) {
  const { id, environment, channel, provider, startedAt } = row;
  const [only, ...others] = workflows;
  const firstFailureAt = subMilliseconds(startedAt, datedAheadMs(row.clock_ahead_ms));
  return {
    id,
    environment,
    channel,
    provider,
    workflow: others.length > 0 ? null : (only?.workflow ?? null),
    firstFailureAt,
  };
}

type Counted = Omit<IncidentNow, 'shared' | 'changedBefore' | 'note' | 'lastTime'>;

function incidentOf(
  row: Row,
  workflows: readonly InWorkflow[],
  matched: readonly Matched[] | null,
  tried: TriedIn | null,
  now: Date,
): Counted {
  const shown = workflows.slice(0, MOST_WORKFLOWS);
  const isStale = now.getTime() - row.checked_to.getTime() > STALE_MS && row.state === 'firing';
  return {
    id: row.id,
    asOf: now,
    tally: tallyOf(row, workflows[0] ?? null, matched),
    firstAt: row.firstAt,
    startedAt: row.startedAt,
    workflows: shown.map(
      (workflow): WorkflowShare => ({ ...workflow, attempts: tried?.in(workflow.workflow) ?? null }),
    ),
    moreWorkflows: workflows.length - shown.length,
    attempts: tried?.total ?? null,
    staleSince: isStale ? row.checked_to : null,
    state: stateOf(row),
    relapses: row.relapses,
    acknowledged: byAt(row.acknowledgedBy, row.acknowledgedAt),
    assigned: assignmentOf(row),
    mute: muteOf(row),
  };
}

function tallyOf(row: Row, largest: InWorkflow | null, matched: readonly Matched[] | null): Tally {
  const { id, key, environment, channel, provider, announcement, isTest } = row;
  const cause = { text: row.causeText, key: row.causeKey };
  const counts = sumOf(matched ?? []) ?? row;
  return {
    kind: {
      ...{ key, environment, channel, provider, cause, announcement, isTest },
      workflow: largest?.workflow ?? null,
      workflowName: largest?.workflowName ?? null,
    },
    incidentId: id,
    verdict: gravest(counts.verdicts),
    failures: counts.failures,
    subscribers: counts.subscribers,
    events: counts.events,
    firstSeen: matched === null || matched.length === 0 ? row.startedAt : counts.firstAt,
    lastSeen: counts.lastAt,
    severity: highestSeverity(counts.severities),
    critical: counts.critical,
    example: { eventId: row.event_id, transactionId: row.transaction_id ?? '', subscriberId: row.subscriber_id },
  };
}

function stateOf({ state, stateAt, lastAt, resolvedBy }: Row): StateNow {
  if (state === 'firing') return { is: state };
  return state === 'resolved' ? { is: state, at: stateAt, by: resolvedBy } : { is: state, since: lastAt };
}

export function byAt(by: string | null, at: Date | null) {
  return by !== null && at !== null ? { by, at } : null;
}

export function assignmentOf({
  assignedTo: to,
  assignedBy: by,
  assignedAt: at,
}: Pick<IncidentRow, 'assignedTo' | 'assignedBy' | 'assignedAt'>) {
  return to !== null && by !== null && at !== null ? { to, by, at } : null;
}

function muteOf({ muted_by: by, muted_at: from, muted_until: until }: Row) {
  return by !== null && from !== null && until !== null ? { by, from, until } : null;
}
