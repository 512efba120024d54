import type { Lag } from '../coverage/lag.ts';
import type { EnvironmentRow } from '../coverage/tables.ts';
import { byLaggingClock } from '../lib/time/service-clock.ts';
import type { Db } from '../store/db.ts';
import { endCondition, noteCondition } from './conditions.ts';

/** New events that are checked ever later are an incident: what fails meanwhile is told too late. Needs a lock on the environment. */
export async function noteSlowness(
  tx: Db,
  { environment, clockAheadMs }: Pick<EnvironmentRow, 'environment' | 'clockAheadMs'>,
  { lagMs, tooSlowSince }: Lag,
  now: Date,
): Promise<void> {
  const slowness = { kind: 'slow', environment, workflow: null } as const;
  if (tooSlowSince === null)
    return endCondition(tx, slowness, lagMs === null ? 'recovered' : 'recovering', { now, clockAheadMs });
  await noteCondition(
    tx,
    {
      ...slowness,
      headline: null,
      causeText: 'new events are checked too slowly',
      causeKey: 'slow',
      critical: true,
      beganAt: byLaggingClock(tooSlowSince, clockAheadMs),
      lastAt: byLaggingClock(now, clockAheadMs),
      gapId: null,
    },
    now,
  );
}
