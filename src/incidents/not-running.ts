import type { EnvironmentRow } from '../coverage/tables.ts';
import type { TimeRange } from '../lib/time/durations.ts';
import type { Db } from '../store/db.ts';
import { endCondition, noteCondition } from './conditions.ts';

/** Time in which Notif didn't run is an incident that is over once it is known. Needs a lock on the environment. */
export async function noteNotRunning(
  tx: Db,
  { environment, clockAheadMs }: Pick<EnvironmentRow, 'environment' | 'clockAheadMs'>,
  { from, to, gapId }: TimeRange & { gapId: string },
  now: Date,
): Promise<void> {
  const away = { kind: 'not-running', environment, workflow: null } as const;
  const words = { headline: null, causeText: "Notif wasn't running", causeKey: 'not-running' };
  await noteCondition(tx, { ...away, ...words, critical: false, beganAt: from, lastAt: to, gapId }, now);
  await endCondition(tx, away, 'recovered', { now, clockAheadMs });
}
