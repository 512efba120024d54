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

/** Writes the fields that the rows have, which are the same in each. Alerts that aren't there are added. */
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

/**
 * What a watch told of an incident that goes on as another one counts as told of that one, which takes the greater of both. What is owed of it stays
 * owed. `after`: the version up to which the watch has compared.
 */
export async function noteContinued(tx: Db, watchId: string, environment: string, after: number): Promise<void> {
  await tx.write(sql`
    INSERT INTO watch_alerts AS known (
      watch_id,
      incident_id,
      environment,
      outbreak,
      badness,
      critical,
      failures,
      failures_in_line,
      line_at,
      is_single,
      entry_id,
      message_id,
      is_message_gone,
      posted_at,
      rang_at,
      escalated_at,
      due_at)
    SELECT DISTINCT ON (kept.id)
      told.watch_id,
      kept.id,
      kept.environment,
      kept.outbreak,
      told.badness,
      told.critical,
      told.failures,
      told.failures_in_line,
      told.line_at,
      told.is_single,
      told.entry_id,
      told.message_id,
      told.is_message_gone,
      told.posted_at,
      told.rang_at,
      told.escalated_at,
      told.due_at
    FROM incidents ended
    JOIN incidents kept ON kept.id = ended.continued_as
    JOIN watch_alerts told ON told.incident_id = ended.id
    WHERE told.watch_id = ${watchId}
      AND ended.environment = ${environment}
      AND ended.version > ${after}
      AND told.outbreak = ended.outbreak
    ORDER BY kept.id, told.posted_at DESC
    ON CONFLICT (watch_id, incident_id) DO UPDATE
    SET
      outbreak = EXCLUDED.outbreak,
      critical = known.critical OR EXCLUDED.critical,
      failures = GREATEST(known.failures, EXCLUDED.failures),
      message_id = coalesce(known.message_id, EXCLUDED.message_id),
      posted_at = GREATEST(known.posted_at, EXCLUDED.posted_at),
      rang_at = GREATEST(known.rang_at, EXCLUDED.rang_at)
    WHERE known.owed_since IS NULL`);
}
