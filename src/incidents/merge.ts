import { and, eq, ne } from 'drizzle-orm';
import { groupBy } from '../lib/group-by.ts';
import { boundedId } from '../lib/text/shown-id.ts';
import { byLaggingClock } from '../lib/time/service-clock.ts';
import type { Db } from '../store/db.ts';
import { noteChanged } from './acts.ts';
import type { NewFailureRow } from './failure-rows.ts';
import { currentOf, incidentWithId, updateIncident, updateOutbreak, withOutbreaks } from './incident-rows.ts';
import type { Addition, Recording } from './record.ts';
import { type IncidentRow, incidents, outbreaks } from './tables.ts';
import { noteHappenings } from './timeline.ts';

/**
 * Two open incidents turn out to be one: new failures go to the older. The younger ends, and keeps its failures and what people did. The older is
 * acknowledged only if both were.
 */
export async function continueAs(
  tx: Db,
  younger: IncidentRow,
  older: IncidentRow,
  { now, clockAheadMs }: Pick<Recording, 'now' | 'clockAheadMs'>,
): Promise<void> {
  const endedAtService = byLaggingClock(now, clockAheadMs);
  const ended = await updateOutbreak(tx, currentOf(younger), { endedAt: now, endedAtService, ending: 'continued' });
  await updateIncident(tx, younger.id, { state: 'resolved', stateAt: now, continuedAs: older.id });
  const unacknowledged = { acknowledgedBy: null, acknowledgedAt: null, unacknowledgedSince: now };
  if (ended?.acknowledgedBy === null) await updateOutbreak(tx, currentOf(older), unacknowledged);
  for (const incident of [younger, older]) await noteChanged(tx, incident);
  await noteHappenings(
    tx,
    [
      { incident: younger, outbreak: younger.outbreak, occurrence: { action: 'goes-on-as', other: older.id } },
      { incident: older, outbreak: older.outbreak, occurrence: { action: 'continues', other: younger.id } },
    ],
    now,
  );
}

/** An incident whose failures all turned out to be another's goes on as that one. */
export async function continueEmptied(
  tx: Db,
  additions: readonly Addition[],
  rows: readonly NewFailureRow[],
  recording: Recording,
): Promise<void> {
  const stepOf = ({ eventKey, jobId }: { eventKey: string; jobId: string }) =>
    `${boundedId(eventKey)} ${boundedId(jobId)}`;
  const targets = new Map(rows.map((row) => [stepOf(row), row.incidentId]));
  for (const [from, items] of groupBy(additions, (item) => item.from)) {
    const [target, ...others] = new Set(items.map(({ failure }) => targets.get(stepOf(failure))));
    if (from === null || target === undefined || target === from || others.length > 0) continue;
    const isEmptied = and(eq(incidents.id, from), ne(incidents.state, 'resolved'), eq(outbreaks.failures, 0));
    const [origin] = await withOutbreaks(tx, isEmptied);
    const other = await incidentWithId(tx, target);
    if (origin !== undefined && other !== null) await continueAs(tx, origin.incident, other, recording);
  }
}
