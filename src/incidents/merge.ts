import { and, eq, ne } from 'drizzle-orm';
import { groupBy } from '../lib/group-by.ts';
import { boundedId } from '../lib/text/shown-id.ts';
import { byLaggingClock } from '../lib/time/service-clock.ts';
import type { Db } from '../store/db.ts';
import type { NewFailureRow } from './failure-values.ts';
import {
  currentOf,
  incidentWithId,
  renewVersions,
  updateIncident,
  updateOutbreak,
  withOutbreaks,
} from './incident-rows.ts';
import type { Addition, Recording } from './record.ts';
import { type IncidentRow, incidents, outbreaks } from './tables.ts';
import { noteHappenings } from './timeline.ts';

/**
 * `ended` turns out to be one with `kept`, and goes on as it. It keeps its failures and what people did; `kept` is acknowledged only if both were. Which
 * of the two is kept is the caller's to say.
 */
export async function continueAs(
  tx: Db,
  ended: IncidentRow,
  kept: IncidentRow,
  { now, clockAheadMs }: Pick<Recording, 'now' | 'clockAheadMs'>,
): Promise<void> {
  const endedAtService = byLaggingClock(now, clockAheadMs);
  const end = { endedAt: now, endedAtService, ending: 'continued' } as const;
  const endedOutbreak = await updateOutbreak(tx, currentOf(ended), end);
  await updateIncident(tx, ended.id, { state: 'resolved', stateAt: now, continuedAs: kept.id });
  const unacknowledged = { acknowledgedBy: null, acknowledgedAt: null, unacknowledgedSince: now };
  if (endedOutbreak?.acknowledgedBy === null) await updateOutbreak(tx, currentOf(kept), unacknowledged);
  await renewVersions(tx, ended.environment, [ended.id, kept.id]);
  await noteHappenings(
    tx,
    [
      { incident: ended, outbreak: ended.outbreak, occurrence: { action: 'goes-on-as', other: kept.id } },
      { incident: kept, outbreak: kept.outbreak, occurrence: { action: 'continues', other: ended.id } },
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
  // Rows have the bounded form of IDs.
  const stepOf = ({ eventKey, jobId }: { eventKey: string; jobId: string }) =>
    `${boundedId(eventKey)} ${boundedId(jobId)}`;
  const targets = new Map(rows.map((row) => [stepOf(row), row.incidentId]));
  for (const [from, items] of groupBy(additions, (item) => item.from)) {
    const [targetId, ...others] = new Set(items.map(({ failure }) => targets.get(stepOf(failure))));
    const isOneOther = targetId !== undefined && targetId !== from && others.length === 0;
    if (from === null || !isOneOther) continue;
    const isEmptied = and(eq(incidents.id, from), ne(incidents.state, 'resolved'), eq(outbreaks.failures, 0));
    const [emptied] = await withOutbreaks(tx, isEmptied);
    const target = await incidentWithId(tx, targetId);
    if (emptied !== undefined && target !== null) await continueAs(tx, emptied.incident, target, recording);
  }
}
