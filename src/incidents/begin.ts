import { sql } from 'drizzle-orm';
import type { StorableRow } from '../lib/text/shown-id.ts';
import { type Db, onlyRow } from '../store/db.ts';
import { type OutbreakKey, updateOutbreak } from './incident-rows.ts';
import type { BegunOutbreak } from './outbreak.ts';
import { type IncidentRow, incidents, outbreaks } from './tables.ts';

/** Columns whose texts were scrubbed before, or are our own. */
type OwnText = 'causeText' | 'causeKey' | 'key' | 'environment' | 'headline' | 'assignedTo';

type Begun = Omit<typeof incidents.$inferInsert, 'stateAt' | 'lastRecordedAt' | 'firstAt' | 'lastAt'>;
export type NewIncident = StorableRow<Begun, OwnText>;

/** `beganAt` and `lastAt` are by the service's clock. Its failures are still to be counted. */
export async function beginIncident(
  tx: Db,
  begun: NewIncident,
  { beganAt, lastAt }: { beganAt: Date; lastAt: Date },
  now: Date,
): Promise<IncidentRow> {
  const row = { ...begun, stateAt: now, lastRecordedAt: now, firstAt: beganAt, lastAt };
  const incident = onlyRow(await tx.insert(incidents).values(row).returning());
  await tx.insert(outbreaks).values({
    incidentId: incident.id,
    environment: incident.environment,
    number: 1,
    beganAt,
    firstFailedAt: beganAt,
    lastFailedAt: lastAt,
    firesSince: beganAt,
    unacknowledgedSince: now,
  });
  return incident;
}

/** The outbreak before this one covers what is earlier; if it was never seen to work again, it ends so. */
export async function beginOutbreak(
  tx: Db,
  { id: incidentId, environment }: Pick<IncidentRow, 'id' | 'environment'>,
  { number, coversFrom, beganAt, lastFailedAt }: BegunOutbreak,
  now: Date,
): Promise<void> {
  const key = { incidentId, number: number - 1 };
  const before = await updateOutbreak(tx, key, { coversTo: coversFrom });
  if (before?.endedAt === null)
    await updateOutbreak(tx, key, { endedAt: now, endedAtService: before.lastFailedAt, ending: 'unconfirmed' });
  await tx.insert(outbreaks).values({
    incidentId,
    environment,
    number,
    coversFrom,
    beganAt,
    firstFailedAt: beganAt,
    lastFailedAt,
    firesSince: beganAt,
    unacknowledgedSince: now,
  });
}

/** An outbreak whose record was lost, and that people were told of, began when they were told: its first failure can be found again later. */
export async function keepBeginning(tx: Db, { incidentId, number }: OutbreakKey, toldAt: Date): Promise<void> {
  await tx.write(sql`
    UPDATE outbreaks
    SET
      began_at = ${toldAt},
      is_published = true
    WHERE incident_id = ${incidentId}
      AND number = ${number}
      AND ${toldAt} >= coalesce(covers_from, '-infinity')`);
}
