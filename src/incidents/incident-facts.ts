import { addMilliseconds } from 'date-fns';
import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { EnvironmentChange, ExplainedIncident } from '../changes/change.ts';
import { changesBefore } from '../changes/changes.ts';
import type { Gap } from '../coverage/gap.ts';
import { gapsWhere } from '../coverage/gaps.ts';
import { gaps } from '../coverage/tables.ts';
import { coversWholeIncidents, type FailureFilter } from '../judging/filter.ts';
import { groupBy } from '../lib/group-by.ts';
import { lagMs } from '../lib/time/service-clock.ts';
import { Count, type Db, idList } from '../store/db.ts';
import { placeOf, recentAttempts, type Share } from './attempts.ts';
import { compareIncidents, type Example, type Note } from './incident.ts';
import type { IncidentWithOutbreak } from './incident-rows.ts';
import { type Matched, type MatchedIncident, matchedIn } from './matched.ts';
import { earlierNotes, type Remembered } from './notes.ts';
import { failures, incidents, outbreakWorkflows } from './tables.ts';

/** Each is compared with all others at its provider. */
const MOST_COUNTED = 100;

/** What of an incident is of one workflow. */
interface InWorkflow {
  workflow: string | null;
  workflowName: string | null;
  failures: number;
  critical: boolean;
}

/** The part of an incident that a filter covers. */
export interface MatchedPart extends MatchedIncident {
  /** Only failures of earlier outbreaks match. */
  isEarlier: boolean;
}

/** What it takes to show incidents, by their numbers. */
export interface Facts {
  /** What the filter covers, if it can cover an incident in part. */
  matched: ReadonlyMap<number, MatchedPart>;
  /** The filter covers each incident wholly, or not at all. */
  isWhole: boolean;
  /** By their IDs. */
  gaps: ReadonlyMap<string, Gap>;
  workflows: ReadonlyMap<number, readonly InWorkflow[]>;
  examples: ReadonlyMap<number, Example>;
  attempts: ReadonlyMap<number, Share>;
  wentThrough: ReadonlyMap<number, number>;
  /** All of them, oldest first. */
  outbreaks: ReadonlyMap<number, readonly Past[]>;
  remembered: ReadonlyMap<number, Remembered>;
  /** The acknowledgment of the outbreak before. */
  formerly: ReadonlyMap<number, Pick<Note, 'actor' | 'at'>>;
  changes: ReadonlyMap<number, readonly EnvironmentChange[]>;
}

export async function factsAbout(
  db: Db,
  rows: readonly IncidentWithOutbreak[],
  filter: FailureFilter,
  now: Date,
): Promise<Facts> {
  const ids = rows.map(({ incident }) => incident.id);
  const isWhole = coversWholeIncidents(filter);
  const matched = await matchedOf(db, isWhole ? [] : rows, filter);
  const counted = await workflowsOf(db, rows);
  const workflows = new Map(ids.map((id) => [id, matched.get(id)?.workflows ?? counted.get(id) ?? []]));
  const isCounted = ({ incident }: IncidentWithOutbreak) =>
    incident.verdictClass === 'announced' && incident.kind === 'failures';
  const places = isWhole ? rows.filter(isCounted).toSorted(worstFirst).slice(0, MOST_COUNTED).map(placeOf) : [];
  const gapIds = rows.flatMap(({ outbreak }) => outbreak.gapId ?? []);
  const knownGaps = await gapsWhere(db, inArray(gaps.id, gapIds));
  return {
    matched,
    isWhole,
    workflows,
    gaps: new Map(knownGaps.map((gap) => [gap.id, gap])),
    examples: await examplesOf(db, ids, matched),
    attempts: await recentAttempts(db, places, now),
    wentThrough: await wentThrough(db, ids),
    outbreaks: await outbreaksOf(db, ids),
    remembered: await earlierNotes(db, ids),
    formerly: await formerlyAcknowledged(db, ids),
    changes: await changesBefore(
      db,
      rows.map((row) => explainableBy(row, workflows.get(row.incident.id) ?? [])),
    ),
  };
}

function worstFirst(a: IncidentWithOutbreak, b: IncidentWithOutbreak): number {
  return compareIncidents(rankOf(a), rankOf(b));
}

/** What `compareIncidents` compares. */
const rankOf = ({ incident: { id, isTest, lastAt }, outbreak: { criticalSince, failures } }: IncidentWithOutbreak) => ({
  id,
  isTest,
  lastAt,
  failures,
  critical: criticalSince !== null,
});

async function workflowsOf(
  db: Db,
  rows: readonly IncidentWithOutbreak[],
): Promise<ReadonlyMap<number, readonly InWorkflow[]>> {
  const { incidentId, outbreak, workflow, failures: count, critical } = outbreakWorkflows;
  const ids = rows.map(({ incident }) => incident.id);
  const isCurrent = and(eq(incidents.id, incidentId), eq(incidents.outbreak, outbreak));
  const counted = await db
    .select()
    .from(outbreakWorkflows)
    .innerJoin(incidents, isCurrent)
    .where(inArray(incidentId, ids))
    .orderBy(desc(critical), desc(count), workflow);
  const named = counted.map(({ outbreak_workflows: row }) => ({ ...row, workflow: row.workflow || null }));
  return groupBy(named, (row) => row.incidentId);
}

/** An incident without a match is missing, and shown whole. */
async function matchedOf(
  db: Db,
  rows: readonly IncidentWithOutbreak[],
  filter: FailureFilter,
): Promise<ReadonlyMap<number, MatchedPart>> {
  const matched = new Map<number, MatchedPart>();
  for (const [environment, here] of groupBy(rows, ({ incident }) => incident.environment)) {
    const current = here.map(({ incident: { id }, outbreak }) => ({
      id,
      from: outbreak.coversFrom,
      to: outbreak.coversTo,
    }));
    const inOutbreak = await matchedIn(db, environment, current, filter);
    const others = here.filter(({ incident, outbreak }) => outbreak.number > 1 && !inOutbreak.has(incident.id));
    const whole = others.map(({ incident: { id } }) => ({ id, from: null, to: null }));
    for (const [id, match] of inOutbreak) matched.set(id, { ...match, isEarlier: false });
    for (const [id, match] of await matchedIn(db, environment, whole, filter))
      matched.set(id, { ...match, isEarlier: true });
  }
  return matched;
}

const Past = z.object({ incidentId: Count, from: z.date(), to: z.date(), failures: Count, number: z.number() });
type Past = z.output<typeof Past>;

/** All outbreaks of each incident, oldest first. Time that wasn't checked has an end beside its last failure. */
async function outbreaksOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, readonly Past[]>> {
  const rows = await db.rows(
    Past,
    sql`
      SELECT
        o.incident_id,
        o.began_at AS "from",
        CASE i.kind WHEN 'failures' THEN o.last_failed_at ELSE coalesce(o.ended_at_service, o.last_failed_at) END AS "to",
        o.failures,
        o.number
      FROM outbreaks o
      JOIN incidents i ON i.id = o.incident_id
      WHERE o.incident_id IN ${idList(ids)}
      ORDER BY o.incident_id, o.number`,
  );
  return groupBy(rows, ({ incidentId }) => incidentId);
}

/** A change can be of the one workflow that fails. */
function explainableBy(
  { incident, outbreak, read }: IncidentWithOutbreak,
  workflows: readonly InWorkflow[],
): ExplainedIncident & { id: number } {
  const firstFailureAt = addMilliseconds(outbreak.beganAt, lagMs(read.clockAheadMs));
  const workflow = workflows.length === 1 ? (workflows[0]?.workflow ?? null) : null;
  return { ...incident, workflow, firstFailureAt };
}

const ExampleRow = z.object({
  incidentId: Count,
  eventId: z.string().nullable(),
  transactionId: z.string(),
  subscriberId: z.string().nullable(),
});

/** The newest failure of each incident; of what a filter `matched`, the newest that it covers. */
async function examplesOf(
  db: Db,
  ids: readonly number[],
  matched: ReadonlyMap<number, { total: Matched }>,
): Promise<ReadonlyMap<number, Example>> {
  const covered = [...matched.values()].map(({ total }) => total.newestSeq);
  const others = ids.filter((id) => !matched.has(id));
  const newest = await db.select().from(failures).where(inArray(failures.seq, covered));
  const ofOthers = await db.rows(
    ExampleRow,
    sql`
      SELECT f.*
      FROM incidents i
      CROSS JOIN LATERAL (
        SELECT incident_id, event_id, transaction_id, subscriber_id
        FROM failures
        WHERE incident_id = i.id
        ORDER BY seq DESC
        LIMIT 1
      ) f
      WHERE i.id IN ${idList(others)}`,
  );
  return new Map(
    [...newest, ...ofOthers].map(({ incidentId, eventId, transactionId, subscriberId }) => [
      incidentId,
      { eventId, transactionId, subscriberId },
    ]),
  );
}

const WentThroughRow = z.object({ id: Count, successes: Count });

/** Deliveries since each incident's last failure, while it may be recovering. */
async function wentThrough(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await db.rows(
    WentThroughRow,
    sql`
      SELECT i.id, sum(s.successes) AS successes
      FROM incidents i
      JOIN outbreak_workflows w ON w.incident_id = i.id AND w.outbreak = i.outbreak
      JOIN success_counts s ON s.environment = i.environment
        AND s.channel = i.channel
        AND s.provider = coalesce(i.provider, '')
        AND s.workflow = w.workflow
        AND s.minute > i.last_at
      WHERE i.id IN ${idList(ids)}
        AND i.state IN ('recovering', 'unconfirmed')
        AND NOT i.is_recipient_fault
      GROUP BY i.id`,
  );
  return new Map(rows.map(({ id, successes }) => [id, successes]));
}

const FormerRow = z.object({ incidentId: Count, actor: z.string(), at: z.date() });

/** Who acknowledged the outbreak before the newest, by the incident's number. */
async function formerlyAcknowledged(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Pick<Note, 'actor' | 'at'>>> {
  const rows = await db.rows(
    FormerRow,
    sql`
      SELECT o.incident_id, o.acknowledged_by AS actor, o.acknowledged_at AS at
      FROM incidents i
      JOIN outbreaks o ON o.incident_id = i.id AND o.number = i.outbreak - 1
      WHERE i.id IN ${idList(ids)}
        AND o.acknowledged_by IS NOT NULL
        AND o.acknowledged_at IS NOT NULL`,
  );
  return new Map(rows.map(({ incidentId, actor, at }) => [incidentId, { actor, at }]));
}
