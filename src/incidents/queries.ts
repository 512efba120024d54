import { addMilliseconds, max, min, subMilliseconds } from 'date-fns';
import { and, desc, eq, getTableColumns, gt, inArray, sql } from 'drizzle-orm';
import { changesBefore } from '../changes/changes-before.ts';
import { gravest, highestSeverity, type Tally } from '../failures/failure.ts';
import { FEWEST_EVENTS, labelsOf, type SharedLabel, sharedLabel, type Traffic } from '../failures/labels.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { datedAheadMs } from '../lib/time/service-clock.ts';
import type { Db } from '../store/db.ts';
import { environments, failures, incidents, incidentWorkflows, mutes } from '../store/schema.ts';
import { EVERYTHING, type WatchFilter } from '../watches/settings.ts';
import { attemptsOf, coversAll, type Matched, type MatchedIncident, matchedIn, type TriedIn } from './counts.ts';
import {
  type IncidentNow,
  type IncidentRow,
  MOST_WORKFLOWS,
  SHARE_MS,
  type StateNow,
  type WorkflowShare,
} from './incident.ts';
import { memoriesOf } from './memories.ts';

type Row = Awaited<ReturnType<typeof rowsOf>>[number];

/** Whom it is shown to: a watch shows what it covers, and its own mute. */
export interface Viewer {
  readonly watchId: string;
  readonly filter: WatchFilter;
}

/** An environment whose service was read this long ago shows its numbers as of then. */
const STALE_MS = 2 * MINUTE_MS;

export async function incidentsNow(
  db: Db,
  ids: readonly number[],
  viewer: Viewer | null,
  now: Date,
  traffic: Traffic | null = null,
): Promise<ReadonlyMap<number, IncidentNow>> {
  if (ids.length === 0) return new Map();
  const rows = await rowsOf(db, ids, viewer?.watchId ?? null, now);
  const filter = viewer?.filter ?? EVERYTHING;
  const isWhole = coversAll(filter);
  const matched = isWhole ? new Map<number, MatchedIncident>() : await partlyOf(db, rows, filter);
  const all = isWhole ? await workflowsOf(db, ids) : null;
  const tried = isWhole ? await attemptsOf(db, rows.filter(hasAttempts).map(windowOf(now))) : new Map();
  const memories = await memoriesOf(db, ids);
  const workflowsIn = ({ id }: Row) => all?.get(id) ?? matched.get(id)?.workflows ?? [];
  const changes = await changesBefore(
    db,
    rows.map((row) => explained(row, workflowsIn(row))),
  );
  const found = new Map<number, IncidentNow>();
  for (const row of rows) {
    const shared =
      traffic === null || !isWhole || row.state === 'resolved' ? null : await sharedLabelOf(db, row, traffic);
    const incident = incidentOf(
      row,
      workflowsIn(row),
      matched.get(row.id)?.total ?? null,
      tried.get(row.id) ?? null,
      now,
    );
    const memory = memories.get(row.id) ?? { note: null, lastTime: null };
    found.set(row.id, { ...incident, shared, changedBefore: changes.get(row.id) ?? null, ...memory });
  }
  return found;
}

async function rowsOf(db: Db, ids: readonly number[], watchId: string | null, now: Date) {
  const isMuted = and(eq(mutes.watchId, watchId ?? ''), eq(mutes.incidentId, incidents.id), gt(mutes.until, now));
  const mute = db.select().from(mutes).where(isMuted).orderBy(desc(mutes.until)).limit(1).as('mute');
  const { checkedTo, clockAheadMs } = environments;
  const { eventId, transactionId, subscriberId } = failures;
  const { mutedBy, mutedAt, until: mutedUntil } = mute;
  return db
    .select({
      ...getTableColumns(incidents),
      ...{ checkedTo, clockAheadMs, eventId, transactionId, subscriberId, mutedBy, mutedAt, mutedUntil },
    })
    .from(incidents)
    .innerJoin(environments, eq(environments.environment, incidents.environment))
    .leftJoin(failures, eq(failures.seq, incidents.newestSeq))
    .leftJoinLateral(mute, sql`true`)
    .where(inArray(incidents.id, [...ids]));
}

/** Some of an incident's failures in one workflow. */
type InWorkflow = Pick<Matched, 'workflow' | 'workflowName' | 'failures' | 'critical'>;

async function workflowsOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, readonly InWorkflow[]>> {
  const { incidentId, workflow, failures: count, critical } = incidentWorkflows;
  const rows = await db
    .select()
    .from(incidentWorkflows)
    .where(inArray(incidentId, [...ids]))
    .orderBy(desc(critical), desc(count), workflow);
  const workflows = new Map<number, InWorkflow[]>();
  for (const row of rows) {
    const named = { ...row, workflow: row.workflow === '' ? null : row.workflow };
    workflows.set(row.incidentId, [...(workflows.get(row.incidentId) ?? []), named]);
  }
  return workflows;
}

/** What a watch was told of stays in its rows as a whole if its filter covers none of it any more. */
async function partlyOf(db: Db, rows: readonly Row[], filter: WatchFilter) {
  const matched = new Map<number, MatchedIncident>();
  for (const environment of new Set(rows.map((row) => row.environment))) {
    const here = rows.filter((row) => row.environment === environment);
    const current = here.map(({ id, startedSeq: afterSeq }) => ({ id, afterSeq }));
    for (const [id, some] of await matchedIn(db, environment, current, filter)) matched.set(id, some);
  }
  return matched;
}

function hasAttempts({ announcement }: Row): boolean {
  return announcement === 'announced';
}

/** Since it started, in the last five minutes at most, until its environment was read. */
function windowOf(now: Date) {
  return (row: Row) => {
    const { id, environment, channel, provider, startedAt, lastAt } = row;
    const to = max([checkedBy(row, now), lastAt]);
    return { id, environment, channel, provider, from: max([startedAt, subMilliseconds(to, SHARE_MS)]), to };
  };
}

function checkedBy({ checkedTo, clockAheadMs }: Row, now: Date): Date {
  return min([checkedTo, addMilliseconds(now, datedAheadMs(clockAheadMs))]);
}

function explained(row: Row, workflows: readonly InWorkflow[]) {
  const { id, environment, channel, provider, startedAt } = row;
  const [only, ...others] = workflows;
  const firstFailureAt = subMilliseconds(startedAt, datedAheadMs(row.clockAheadMs));
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
  matched: Matched | null,
  tried: TriedIn | null,
  now: Date,
): Counted {
  const shown = workflows.slice(0, MOST_WORKFLOWS);
  const isStale = now.getTime() - row.checkedTo.getTime() > STALE_MS && row.state === 'firing';
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
    staleSince: isStale ? row.checkedTo : null,
    state: stateOf(row),
    relapses: row.relapses,
    acknowledged: byAt(row.acknowledgedBy, row.acknowledgedAt),
    assigned: assignmentOf(row),
    mute: muteOf(row),
  };
}

function tallyOf(row: Row, largest: InWorkflow | null, matched: Matched | null): Tally {
  const { id, key, environment, channel, provider, announcement, isTest } = row;
  const cause = { text: row.causeText, key: row.causeKey };
  const counts = matched ?? row;
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
    firstSeen: matched?.firstAt ?? row.startedAt,
    lastSeen: counts.lastAt,
    severity: highestSeverity(counts.severities),
    critical: counts.critical,
    example: { eventId: row.eventId, transactionId: row.transactionId ?? '', subscriberId: row.subscriberId },
  };
}

function stateOf({ state, stateAt, lastAt, resolvedBy }: Row): StateNow {
  if (state === 'firing') return { is: state };
  return state === 'resolved' ? { is: state, at: stateAt, by: resolvedBy } : { is: state, since: lastAt };
}

function byAt(by: string | null, at: Date | null) {
  return by !== null && at !== null ? { by, at } : null;
}

function assignmentOf({
  assignedTo: to,
  assignedBy: by,
  assignedAt: at,
}: Pick<IncidentRow, 'assignedTo' | 'assignedBy' | 'assignedAt'>) {
  return to !== null && by !== null && at !== null ? { to, by, at } : null;
}

function muteOf({ mutedBy: by, mutedAt: from, mutedUntil: until }: Row) {
  return by !== null && from !== null && until !== null ? { by, from, until } : null;
}

/** How many of an incident's newest failures are examined. */
const MOST_EXAMINED = 250;

/** Returns the label that nearly all of an incident's events share, if most other events don't have it. */
async function sharedLabelOf(
  db: Db,
  { id, environment, events, startedSeq }: Pick<IncidentRow, 'id' | 'environment' | 'events' | 'startedSeq'>,
  traffic: Traffic,
): Promise<SharedLabel | null> {
  const sample = events < FEWEST_EVENTS ? [] : traffic.sample(environment);
  if (sample.length === 0) return null;
  const newest = await db
    .select()
    .from(failures)
    .where(and(eq(failures.incidentId, id), gt(failures.seq, startedSeq)))
    .orderBy(desc(failures.seq))
    .limit(MOST_EXAMINED);
  const failed = [...new Map(newest.map((failure) => [failure.eventKey, labelled(failure)])).values()];
  const shared = sharedLabel(failed, sample);
  return shared && { ...shared, isOfNewest: failed.length < events };
}

function labelled({ workflow, contexts, topics, tags, severity }: typeof failures.$inferSelect) {
  const labels = labelsOf({ contextKeys: contexts, topicKeys: topics, tags, severity });
  return { workflow: workflow ?? '', labels };
}
