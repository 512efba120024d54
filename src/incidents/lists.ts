import { and, between, desc, eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { InputError } from '../lib/errors.ts';
import type { TimeRange } from '../lib/time/durations.ts';
import { Count, type Db } from '../store/db.ts';
import { BADNESSES, type Badness, worseOf } from './badness.ts';
import type { IncidentNow } from './incident.ts';
import type { IncidentRef } from './incident-ref.ts';
import { incidentsInOrder } from './incidents-now.ts';
import type { Top } from './open-incidents.ts';
import { incidents } from './tables.ts';

export async function incidentNow(db: Db, id: number, now: Date): Promise<IncidentNow | null> {
  return (await incidentsInOrder(db, [{ id }], now))[0] ?? null;
}

/** Throws an InputError if there is none, or its code says that another one is meant. */
export async function incidentNumbered(
  db: Db,
  { incidentId: number, code }: IncidentRef,
  now: Date,
): Promise<IncidentNow> {
  const incident = await incidentNow(db, number, now);
  if (incident === null) {
    const what = `There is no incident #${number}.`;
    throw new InputError('incident', what, null, '/notif history lists what is kept.');
  }
  if (code === null || code === incident.code) return incident;
  const what = `This is about another #${number} than today's: it's from before a backup was restored, or of another Notif. Nothing was done.`;
  throw new InputError('incident', what, null, `Today's: /notif #${number}. All open ones: /notif handover.`);
}

/** What an incident did in all of its outbreaks. */
export interface WholeHit {
  /** Their names, the worst first. '': deleted. */
  workflows: readonly string[];
  worst: Badness;
}

const WorkflowRow = z.object({ name: z.string() });
const WorstRow = z.object({ worst: z.enum(BADNESSES) });

export async function wholeHit(db: Db, id: number): Promise<WholeHit> {
  const named = await db.rows(
    WorkflowRow,
    sql`
      SELECT coalesce(workflow_name, workflow) AS name
      FROM outbreak_workflows
      WHERE incident_id = ${id}
      GROUP BY 1
      ORDER BY bool_or(critical) DESC, sum(failures) DESC, 1`,
  );
  const outbreaks = await db.rows(WorstRow, sql`SELECT worst FROM outbreaks WHERE incident_id = ${id}`);
  const worst = outbreaks.map((outbreak) => outbreak.worst).reduce(worseOf, 'one');
  return { workflows: named.map(({ name }) => name), worst };
}

/** So many of an event's incidents are shown. */
export const MOST_OF_EVENT = 10;

export const IdRow = z.object({ id: Count });

/** Returns one more where there are more than MOST_OF_EVENT. */
export async function incidentsOfEvent(
  db: Db,
  environment: string,
  eventKey: string,
  now: Date,
): Promise<readonly IncidentNow[]> {
  const rows = await db.rows(
    IdRow,
    sql`
      SELECT DISTINCT i.id
      FROM failures f
      JOIN incidents i ON i.id = f.incident_id
      WHERE f.environment = ${environment}
        AND f.event_key = ${eventKey}
        AND i.verdict_class = 'announced'
      ORDER BY i.id
      LIMIT ${MOST_OF_EVENT + 1}`,
  );
  return incidentsInOrder(db, rows, now);
}

/** The incidents that were resolved in the range, the newest first. */
export async function resolvedIncidents(
  db: Db,
  environments: readonly string[],
  within: TimeRange,
  limit: number,
): Promise<Top<IncidentNow>> {
  const isResolved = and(eq(incidents.state, 'resolved'), between(incidents.stateAt, within.from, within.to));
  const isAnnounced = eq(incidents.verdictClass, 'announced');
  const isListed = and(inArray(incidents.environment, [...environments]), isAnnounced, isResolved);
  const total = sql`count(*) OVER ()`.mapWith(Number);
  const resolved = db.select({ id: incidents.id, total }).from(incidents).where(isListed);
  const rows = await resolved.orderBy(desc(incidents.stateAt), desc(incidents.id)).limit(limit);
  return { items: await incidentsInOrder(db, rows, within.to), more: (rows[0]?.total ?? 0) - rows.length };
}
