import { and, eq, inArray, type SQL } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { nextVersion } from '../coverage/environment-lock.ts';
import { type EnvironmentRow, environments } from '../coverage/tables.ts';
import type { Db } from '../store/db.ts';
import { type IncidentRow, incidents, type OutbreakRow, outbreaks } from './tables.ts';

/** An incident with its newest outbreak. */
export interface IncidentWithOutbreak {
  incident: IncidentRow;
  outbreak: OutbreakRow;
  read: Read;
}

/** How far the incident's environment was read, and what keeps it from being read. */
type Read = Pick<EnvironmentRow, 'coveredFrom' | 'checkedTo' | 'readTo' | 'clockAheadMs' | 'problem'>;

export const isCurrentOutbreak: SQL | undefined = and(
  eq(outbreaks.incidentId, incidents.id),
  eq(outbreaks.number, incidents.outbreak),
);

export async function withOutbreaks(db: Db, condition: SQL | undefined): Promise<readonly IncidentWithOutbreak[]> {
  const rows = await db
    .select()
    .from(incidents)
    .innerJoin(outbreaks, isCurrentOutbreak)
    .innerJoin(environments, eq(environments.environment, incidents.environment))
    .where(condition)
    .orderBy(incidents.id);
  return rows.map((row) => ({ incident: row.incidents, outbreak: row.outbreaks, read: row.environments }));
}

export async function incidentsWithIds(db: Db, ids: readonly number[]): Promise<readonly IncidentWithOutbreak[]> {
  return ids.length === 0 ? [] : withOutbreaks(db, inArray(incidents.id, [...ids]));
}

export async function incidentWithId(db: Db, id: number): Promise<IncidentRow | null> {
  const [incident = null] = await db.select().from(incidents).where(eq(incidents.id, id));
  return incident;
}

export async function updateIncident(tx: Db, id: number, values: Partial<IncidentRow>): Promise<void> {
  await tx.update(incidents).set(values).where(eq(incidents.id, id));
}

export type OutbreakKey = Pick<OutbreakRow, 'incidentId' | 'number'>;

const isOutbreak = ({ incidentId, number }: OutbreakKey): SQL | undefined =>
  and(eq(outbreaks.incidentId, incidentId), eq(outbreaks.number, number));

export async function outbreakWithKey(db: Db, key: OutbreakKey): Promise<OutbreakRow | null> {
  const [outbreak = null] = await db.select().from(outbreaks).where(isOutbreak(key));
  return outbreak;
}

/** Returns the outbreak as it is then; null: there is none. */
export async function updateOutbreak(
  tx: Db,
  key: OutbreakKey,
  values: PgUpdateSetSource<typeof outbreaks>,
): Promise<OutbreakRow | null> {
  const [outbreak = null] = await tx.update(outbreaks).set(values).where(isOutbreak(key)).returning();
  return outbreak;
}

/** The key of an incident's newest outbreak. */
export const currentOf = ({ id, outbreak }: Pick<IncidentRow, 'id' | 'outbreak'>): OutbreakKey => ({
  incidentId: id,
  number: outbreak,
});

/**
 * The incidents' versions grow, so that whoever compares sees at once that something of them has changed. Needed before an entry of the timeline: its
 * number is then drawn under the environment's lock, too.
 */
export async function renewVersions(tx: Db, environment: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const version = await nextVersion(tx, environment);
  const isSeen = inArray(incidents.id, [...new Set(ids)]);
  await tx.update(incidents).set({ version }).where(isSeen);
}
