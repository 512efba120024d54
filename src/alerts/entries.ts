import { and, eq, gt, inArray, isNotNull, max } from 'drizzle-orm';
import { audit, type EntryRow } from '../audit/tables.ts';
import { parseEntry, type TimelineEntry } from '../incidents/timeline.ts';
import type { Db } from '../store/db.ts';

/** An entry of an incident's timeline. */
export interface IncidentEntry extends TimelineEntry {
  incidentId: number;
}

/** The number of the newest entry of each incident's timeline. */
export async function newestEntries(db: Db, incidentIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (incidentIds.length === 0) return new Map();
  const rows = await db
    .select({ incidentId: audit.incidentId, id: max(audit.id) })
    .from(audit)
    .where(inArray(audit.incidentId, [...incidentIds]))
    .groupBy(audit.incidentId);
  return new Map(rows.flatMap(({ incidentId, id }) => (incidentId === null || id === null ? [] : [[incidentId, id]])));
}

export async function entriesAfter(db: Db, environment: string, after: number): Promise<readonly IncidentEntry[]> {
  const isNew = and(gt(audit.id, after), isNotNull(audit.incidentId), eq(audit.environment, environment));
  return entriesIn(await db.select().from(audit).where(isNew).orderBy(audit.id));
}

export async function entriesWithIds(db: Db, ids: readonly number[]): Promise<readonly IncidentEntry[]> {
  const isNamed = inArray(audit.id, [...ids]);
  return ids.length === 0 ? [] : entriesIn(await db.select().from(audit).where(isNamed).orderBy(audit.id));
}

/** Entries of these incidents that are newer than the one of each that is shown. */
export async function entriesSince(
  db: Db,
  shown: readonly { incidentId: number; entryId: number }[],
): Promise<readonly IncidentEntry[]> {
  if (shown.length === 0) return [];
  const newest = new Map(shown.map(({ incidentId, entryId }) => [incidentId, entryId]));
  const isNewer = and(inArray(audit.incidentId, [...newest.keys()]), gt(audit.id, Math.min(...newest.values())));
  const entries = entriesIn(await db.select().from(audit).where(isNewer).orderBy(audit.id));
  return entries.filter(({ id, incidentId }) => id > (newest.get(incidentId) ?? id));
}

const entriesIn = (rows: readonly EntryRow[]): readonly IncidentEntry[] =>
  rows.flatMap((row) => (row.incidentId === null ? [] : [{ ...parseEntry(row), incidentId: row.incidentId }]));
