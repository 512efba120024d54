import { and, eq, isNull } from 'drizzle-orm';
import type { ExplainCause } from '../causes/explain-cause.ts';
import { CLASSES_WITH_OUTBREAKS } from '../judging/verdict.ts';
import { groupBy } from '../lib/group-by.ts';
import { maybeBoundedId } from '../lib/text/shown-id.ts';
import type { Db } from '../store/db.ts';
import { countAgain, countRemoved } from './count.ts';
import { withoutErased } from './erase.ts';
import { deleteFailures, storedFailures, updateFailures } from './failure-rows.ts';
import { renewVersions, withOutbreaks } from './incident-rows.ts';
import { wordingKeyOf } from './keys.ts';
import { type EventReading, type Reconciled, reconcile, type UpdatedFailure } from './reconcile.ts';
import { recordAdded } from './record-added.ts';
import { incidents, outbreaks } from './tables.ts';
import { noteHappenings } from './timeline.ts';
import { noteWordings } from './wordings.ts';

/** What decides how readings are recorded. */
export interface Recording {
  now: Date;
  /** How far the service's clock is ahead of ours; null: its answers don't say. */
  clockAheadMs: number | null;
  explainCause: ExplainCause;
}

/** The environment's failures become what the readings say. Needs a lock on the environment. */
export async function recordReadings(
  tx: Db,
  environment: string,
  readings: readonly EventReading[],
  recording: Recording,
): Promise<Reconciled> {
  const eventKeys = readings.map(({ eventKey }) => eventKey);
  const stored = await storedFailures(tx, environment, eventKeys);
  const storable = await withoutErased(tx, readings, recording.now);
  const changes = reconcile(storable, stored, (failure) => wordingKeyOf(environment, failure));
  const { added, updated, removed } = changes;
  const rejudged = updated.filter(({ values }) => 'verdict' in values || 'critical' in values || 'severity' in values);
  if (removed.length > 0) {
    await countRemoved(tx, removed);
    await deleteFailures(tx, removed);
  }
  await updateFailures(tx, updated);
  await noteWordings(tx, environment, updated, recording);
  await noteCritical(tx, updated, recording.now);
  if (removed.length + rejudged.length > 0)
    await countAgain(tx, [...removed, ...rejudged.map(({ row }) => row)], recording.now);
  if (added.length > 0) await recordAdded(tx, environment, added, recording);
  const isSeen = ({ values, isReworded }: UpdatedFailure) => isReworded || Object.keys(values).length > 0;
  const changed = [...removed, ...updated.filter(isSeen).map(({ row }) => row)];
  await renewVersions(
    tx,
    environment,
    changed.map(({ incidentId }) => incidentId),
  );
  return changes;
}

/** Details that come later can say that a workflow is critical. */
async function noteCritical(tx: Db, updated: readonly UpdatedFailure[], now: Date): Promise<void> {
  const critical = updated.filter(
    ({ row, values }) => values.critical && CLASSES_WITH_OUTBREAKS.includes(row.verdictClass),
  );
  for (const [incidentId, [first]] of groupBy(critical, ({ row }) => row.incidentId)) {
    if (first === undefined) continue;
    const isNew = and(eq(incidents.id, incidentId), isNull(outbreaks.criticalSince), isNull(outbreaks.endedAt));
    const [known] = await withOutbreaks(tx, isNew);
    if (known === undefined || first.row.occurredAt < (known.outbreak.coversFrom ?? 0)) continue;
    const occurrence = { action: 'critical', workflow: maybeBoundedId(first.row.workflow) } as const;
    await noteHappenings(tx, [{ incident: known.incident, outbreak: known.outbreak.number, occurrence }], now);
  }
}
