import { addMilliseconds, max, subMilliseconds } from 'date-fns';
import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { EnvironmentChange } from '../changes/change.ts';
import { changesBefore } from '../changes/changes.ts';
import type { Gap } from '../coverage/gap.ts';
import { gapsWhere } from '../coverage/gaps.ts';
import { gaps } from '../coverage/tables.ts';
import { ALL_FAILURES, coversWholeIncidents, type FailureFilter } from '../judging/filter.ts';
import { mostSevere } from '../judging/verdict.ts';
import { groupBy } from '../lib/group-by.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { lagMs } from '../lib/time/service-clock.ts';
import { Count, type Db, idList } from '../store/db.ts';
import { formerlyAcknowledged } from './acts.ts';
import { type CountedPlace, recentAttempts, type Share, wentThrough } from './attempts.ts';
import { type Example, examplesOf } from './examples.ts';
import { compareIncidents, type IncidentNow, type Note, type StateNow, type WorkflowShare } from './incident.ts';
import { type IncidentWithOutbreak, incidentsWithIds } from './incident-rows.ts';
import { type MatchedIncident, matchedIn } from './matched.ts';
import { earlierNotes, type Remembered } from './notes.ts';
import { type IncidentRow, incidents, type OutbreakRow, outbreakWorkflows } from './tables.ts';

const MOST_WORKFLOWS = 3;
/** Each is compared with all others at its provider. */
const MOST_COUNTED = 100;
const STALE_MS = 2 * MINUTE_MS;

/** `filter`: whose failures are counted, of those who see a part of an incident. */
export async function incidentsNow(
  db: Db,
  ids: readonly number[],
  filter: FailureFilter | null,
  now: Date,
): Promise<ReadonlyMap<number, IncidentNow>> {
  const rows = await incidentsWithIds(db, ids);
  if (rows.length === 0) return new Map();
  const facts = await factsAbout(db, rows, filter ?? ALL_FAILURES, now);
  return new Map(rows.map((row) => [row.incident.id, incidentFrom(row, facts, now)]));
}

export async function incidentsInOrder(
  db: Db,
  rows: readonly { id: number }[],
  now: Date,
  filter: FailureFilter | null = null,
): Promise<readonly IncidentNow[]> {
  const ids = rows.map(({ id }) => id);
  const known = await incidentsNow(db, ids, filter, now);
  return ids.flatMap((id) => known.get(id) ?? []);
}

interface InWorkflow {
  workflow: string | null;
  workflowName: string | null;
  failures: number;
  critical: boolean;
}

interface Facts {
  /** What the filter covers, if it can cover an incident in part. */
  matched: ReadonlyMap<number, MatchedIncident & { isEarlier: boolean }>;
  isWhole: boolean;
  gaps: ReadonlyMap<string, Gap>;
  workflows: ReadonlyMap<number, readonly InWorkflow[]>;
  examples: ReadonlyMap<number, Example>;
  attempts: ReadonlyMap<number, Share>;
  wentThrough: ReadonlyMap<number, number>;
  outbreaks: ReadonlyMap<number, readonly Past[]>;
  remembered: ReadonlyMap<number, Remembered>;
  /** The acknowledgment of the outbreak before. */
  formerly: ReadonlyMap<number, Pick<Note, 'actor' | 'at'>>;
  changes: ReadonlyMap<number, readonly EnvironmentChange[]>;
}

async function factsAbout(
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
  const known = await gapsWhere(db, inArray(gaps.id, gapIds));
  return {
    matched,
    isWhole,
    workflows,
    gaps: new Map(known.map((gap) => [gap.id, gap])),
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

const rankOf = ({ incident: { id, isTest, lastAt }, outbreak: { criticalSince, failures } }: IncidentWithOutbreak) => ({
  id,
  isTest,
  lastAt,
  failures,
  critical: criticalSince !== null,
});

export function placeOf({ incident, outbreak, read }: IncidentWithOutbreak): CountedPlace {
  const { id, environment, channel, provider } = incident;
  const { checkedTo, clockAheadMs } = read;
  const { firesSince, lastFailedAt: lastAt } = outbreak;
  return { id, environment, channel, provider, checkedTo, clockAheadMs, firesSince, lastAt };
}

function incidentFrom({ incident, outbreak, read }: IncidentWithOutbreak, facts: Facts, now: Date): IncidentNow {
  const { id, code, key, kind, environment, channel, provider, isTest, headline, isRecipientFault } = incident;
  const { firstAt, assignedTo, continuedAs } = incident;
  const match = facts.matched.get(id);
  const attempts = facts.attempts.get(id);
  const total = match?.total ?? null;
  const workflows = facts.workflows.get(id) ?? [];
  const lastAt = total?.lastAt ?? outbreak.lastFailedAt;
  const checkedTo = subMilliseconds(read.checkedTo, read.clockAheadMs ?? 0);
  const isStale = incident.state === 'firing' && now.getTime() - checkedTo.getTime() > STALE_MS;
  const isEarlier = match?.isEarlier === true && incident.state !== 'resolved';
  const remembered = facts.remembered.get(id);
  const past = facts.outbreaks.get(id) ?? [];
  // A later outbreak can have begun since the incident was read.
  const earlier = past.filter(({ number, failures }) => number < outbreak.number && failures > 0);
  const failuresBefore = earlier.reduce((sum, { failures }) => sum + failures, 0);
  return {
    id,
    code,
    key,
    kind,
    environment,
    channel,
    provider,
    isTest,
    headline,
    isRecipientFault,
    firstAt,
    assignedTo,
    continuedAs,
    outbreak: match?.isEarlier ? 1 : outbreak.number,
    beganAt:
      match !== undefined && (match.isEarlier || match.total.firstAt > outbreak.beganAt)
        ? match.total.firstAt
        : outbreak.beganAt,
    earlier: total === null ? earlier.map(({ from, to }) => ({ from, to })) : [],
    asOf: now,
    cause: { text: incident.causeText, key: incident.causeKey },
    verdict: mostSevere(total?.verdicts ?? outbreak.verdicts),
    failures: total?.failures ?? outbreak.failures,
    failuresInAll: total === null ? failuresBefore + outbreak.failures : null,
    subscribers: total?.subscribers ?? outbreak.subscribers,
    isAtLeast: outbreak.isAtLeast,
    lastAt,
    critical: total?.critical ?? outbreak.criticalSince !== null,
    badness: outbreak.badness,
    worst: outbreak.worst,
    outage:
      kind === 'failures' || kind === 'silence'
        ? null
        : { problem: read.problem, uncheckedSince: checkedTo, gap: facts.gaps.get(outbreak.gapId ?? '') ?? null },
    example: facts.examples.get(id) ?? { eventId: null, transactionId: '', subscriberId: null },
    workflows: workflows.slice(0, MOST_WORKFLOWS).map((share): WorkflowShare => {
      return { ...share, attempts: attempts?.byWorkflow.get(share.workflow ?? '') ?? null };
    }),
    moreWorkflows: Math.max(0, workflows.length - MOST_WORKFLOWS),
    attempts: attempts?.total ?? null,
    // What was delivered can still bounce.
    wentThrough: outbreak.verdicts.includes('bounced') ? 0 : (facts.wentThrough.get(id) ?? 0),
    staleSince: isStale ? max([checkedTo, lastAt]) : null,
    shared: facts.isWhole ? outbreak.shared : null,
    changedBefore: facts.changes.get(id) ?? [],
    state: isEarlier
      ? { is: incident.state === 'unconfirmed' ? 'unconfirmed' : 'recovering', since: lastAt }
      : stateOf(incident, outbreak),
    acknowledged:
      outbreak.acknowledgedBy === null ? null : { actor: outbreak.acknowledgedBy, at: outbreak.acknowledgedAt ?? now },
    formerly: outbreak.acknowledgedBy === null ? (facts.formerly.get(id) ?? null) : null,
    note: remembered?.note ?? null,
    earlierNote: remembered?.earlierNote ?? null,
    lastTime: remembered?.lastTime ?? null,
  };
}

function stateOf({ state, stateAt, kind }: IncidentRow, { lastFailedAt, endedBy, ending }: OutbreakRow): StateNow {
  if (state === 'firing') return { is: state };
  if (state === 'resolved') return { is: state, at: stateAt, actor: endedBy, ending };
  return { is: state, since: kind === 'failures' ? lastFailedAt : stateAt };
}

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

/** `isEarlier`: only failures of earlier outbreaks match. An incident without a match is missing, and shown whole. */
async function matchedOf(
  db: Db,
  rows: readonly IncidentWithOutbreak[],
  filter: FailureFilter,
): Promise<ReadonlyMap<number, MatchedIncident & { isEarlier: boolean }>> {
  const matched = new Map<number, MatchedIncident & { isEarlier: boolean }>();
  for (const [environment, here] of groupBy(rows, ({ incident }) => incident.environment)) {
    const current = here.map(({ incident: { id }, outbreak }) => ({
      id,
      from: outbreak.coversFrom,
      to: outbreak.coversTo,
    }));
    const inOutbreak = await matchedIn(db, environment, current, filter);
    const others = here.filter(({ incident, outbreak }) => outbreak.number > 1 && !inOutbreak.has(incident.id));
    const whole = others.map(({ incident: { id } }) => ({ id, from: null, to: null }));
    for (const [id, share] of inOutbreak) matched.set(id, { ...share, isEarlier: false });
    for (const [id, share] of await matchedIn(db, environment, whole, filter))
      matched.set(id, { ...share, isEarlier: true });
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
function explainableBy({ incident, outbreak, read }: IncidentWithOutbreak, workflows: readonly InWorkflow[]) {
  const firstFailureAt = addMilliseconds(outbreak.beganAt, lagMs(read.clockAheadMs));
  const workflow = workflows.length === 1 ? (workflows[0]?.workflow ?? null) : null;
  return { ...incident, workflow, firstFailureAt };
}
