import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import { inPieces } from '../lib/pauses.ts';
import type { Db } from '../store/db.ts';
import { type AlertRow, watchAlerts } from './tables.ts';

/** What names an alert. */
type Key = Pick<AlertRow, 'watchId' | 'incidentId' | 'environment'>;

/** An embedded database does nothing else during a statement. */
const ROWS_A_TURN = 200;

/** What a watch has told of incidents. */
export const isAlertOf = (watchId: string, incidentIds: readonly number[]): SQL | undefined =>
  and(eq(watchAlerts.watchId, watchId), inArray(watchAlerts.incidentId, [...incidentIds]));

/** Finds what a watch has told of an incident. */
export function alertFinder(alerts: readonly AlertRow[]): (watchId: string, incidentId: number) => AlertRow | null {
  const byKey = new Map(alerts.map((alert) => [`${alert.watchId} ${alert.incidentId}`, alert]));
  return (watchId, incidentId) => byKey.get(`${watchId} ${incidentId}`) ?? null;
}

export async function updateAlerts(
  tx: Db,
  watchId: string,
  incidentIds: readonly number[],
  values: Partial<AlertRow>,
): Promise<void> {
  if (incidentIds.length > 0) await tx.update(watchAlerts).set(values).where(isAlertOf(watchId, incidentIds));
}

/** Sets what the rows have, which is the same in each, of alerts that are made if they aren't there. */
export async function putAlerts<Row extends Key & Partial<AlertRow>>(tx: Db, rows: readonly Row[]): Promise<void> {
  const set = Object.fromEntries(
    Object.keys(rows[0] ?? {}).map((field) => [field, sql`excluded.${sql.identifier(toSnakeCase(field))}`]),
  );
  for await (const piece of inPieces(rows, ROWS_A_TURN))
    await tx
      .insert(watchAlerts)
      .values([...piece])
      .onConflictDoUpdate({ target: [watchAlerts.watchId, watchAlerts.incidentId], set });
}
