import { addMilliseconds } from 'date-fns';
import { and, eq, isNotNull, lt, max, ne, sql } from 'drizzle-orm';
import { changesBefore } from '../changes/changes.ts';
import { changes } from '../changes/tables.ts';
import { gaps } from '../coverage/tables.ts';
import { lagMs } from '../lib/time/service-clock.ts';
import type { Db } from '../store/db.ts';
import { updateOutbreak, withOutbreaks } from './incident-rows.ts';
import { incidents, outbreaks } from './tables.ts';
import { type Happening, noteHappenings } from './timeline.ts';

// What the timeline says of outbreaks though nothing new fails in them.

/** What an end told changes with an entry of its own: "+60 found later". Returns the incidents. */
export async function noteLateCounts(tx: Db, environment: string, now: Date): Promise<number[]> {
  const isLate = and(
    eq(outbreaks.environment, environment),
    isNotNull(outbreaks.failuresAtEnd),
    ne(outbreaks.failuresAtEnd, outbreaks.failures),
  );
  const late = await tx
    .select()
    .from(outbreaks)
    .innerJoin(incidents, eq(incidents.id, outbreaks.incidentId))
    .where(isLate);
  const happenings = late.map(({ incidents: incident, outbreaks: { number, failures, failuresAtEnd } }): Happening => {
    const found = failures - (failuresAtEnd ?? failures);
    return { incident, outbreak: number, occurrence: { action: 'found-later', failures: found, of: failures } };
  });
  await noteHappenings(tx, happenings, now);
  const counted = { failuresAtEnd: sql`${outbreaks.failures}` };
  if (late.length > 0) await tx.update(outbreaks).set(counted).where(isLate);
  return late.map(({ incidents: { id } }) => id);
}

/** Compares open outbreaks with the changes that were noticed or reported since they last were. Returns the incidents that one may explain. */
export async function noteNearbyChanges(tx: Db, environment: string, now: Date): Promise<number[]> {
  const [newest] = await tx
    .select({ id: max(changes.id) })
    .from(changes)
    .where(eq(changes.environment, environment));
  const to = newest?.id ?? 0;
  const isUncompared = and(
    eq(incidents.environment, environment),
    ne(incidents.state, 'resolved'),
    lt(outbreaks.changesTo, to),
  );
  const compared = (await withOutbreaks(tx, isUncompared)).map(({ incident, outbreak, read }) => {
    const firstFailureAt = addMilliseconds(outbreak.beganAt, lagMs(read.clockAheadMs));
    return { incident, outbreak, explained: { ...incident, workflow: null, firstFailureAt } };
  });
  const near = await changesBefore(
    tx,
    compared.map(({ explained }) => explained),
  );
  const happenings: Happening[] = [];
  for (const { incident, outbreak } of compared) {
    const { incidentId, number, changesTo } = outbreak;
    const fresh = (near.get(incidentId) ?? []).filter((change) => change.id > changesTo);
    for (const { id, at: changedAt } of fresh) {
      const occurrence = { action: 'change-nearby', change: id, changedAt } as const;
      happenings.push({ incident, outbreak: number, occurrence });
    }
    await updateOutbreak(tx, outbreak, { changesTo: to });
  }
  await noteHappenings(tx, happenings, now);
  return happenings.map(({ incident }) => incident.id);
}

/** Notes that incidents' gaps were caught up on, or that the rest of them is lost. Returns the incidents. */
export async function noteCaughtUp(tx: Db, environment: string, now: Date): Promise<number[]> {
  const isNew = and(
    eq(outbreaks.environment, environment),
    isNotNull(outbreaks.gapId),
    eq(outbreaks.isCaughtUp, false),
    isNotNull(gaps.closedAt),
  );
  const closed = await tx
    .select()
    .from(outbreaks)
    .innerJoin(incidents, eq(incidents.id, outbreaks.incidentId))
    .innerJoin(gaps, eq(gaps.id, outbreaks.gapId))
    .where(isNew);
  const happenings: Happening[] = [];
  for (const { incidents: incident, outbreaks: outbreak, gaps: gap } of closed) {
    const { beginsAt: from, endsAt, events, failures } = gap;
    const occurrence = { action: 'caught-up', from, to: endsAt ?? now, events, failures } as const;
    happenings.push({ incident, outbreak: outbreak.number, occurrence });
    await updateOutbreak(tx, outbreak, { isCaughtUp: true });
  }
  await noteHappenings(tx, happenings, now);
  return happenings.map(({ incident }) => incident.id);
}
