import { subMilliseconds } from 'date-fns';
import type { Lag } from '../coverage/lag.ts';
import type { EnvironmentRow } from '../coverage/tables.ts';
import type { TimeRange } from '../lib/time/durations.ts';
import { byLaggingClock } from '../lib/time/service-clock.ts';
import { briefWhy } from '../service/problem-words.ts';
import type { ServiceProblem } from '../service/service-error.ts';
import type { Db } from '../store/db.ts';
import { endCondition, noteCondition } from './conditions.ts';

// Why Notif can't say what fails. All of these need a lock on the environment.

type ServiceClock = Pick<EnvironmentRow, 'environment' | 'clockAheadMs'>;

/** A service that two polls couldn't read is an incident, with the gap that it leaves. */
export async function noteUnreadable(
  tx: Db,
  { environment, checkedTo, clockAheadMs }: EnvironmentRow,
  { problem, gapId }: { problem: ServiceProblem; gapId: string },
  now: Date,
): Promise<void> {
  const { headline, text: causeText } = briefWhy(problem);
  await noteCondition(
    tx,
    {
      kind: 'unreadable',
      environment,
      workflow: null,
      headline,
      causeText,
      causeKey: problem.kind,
      critical: true,
      // A clock that is ahead would begin it in our future.
      beganAt: subMilliseconds(checkedTo, Math.max(0, clockAheadMs ?? 0)),
      lastAt: byLaggingClock(now, clockAheadMs),
      gapId,
    },
    now,
  );
}

/** The service can be read again: the incident recovers. */
export async function noteReadable(tx: Db, environment: string, clockAheadMs: number | null, now: Date): Promise<void> {
  await endCondition(tx, { kind: 'unreadable', environment, workflow: null }, 'recovering', { now, clockAheadMs });
}

/** New events that are checked ever later are an incident: what fails meanwhile is told too late. */
export async function noteSlowness(
  tx: Db,
  { environment, clockAheadMs }: ServiceClock,
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

/** Time in which Notif didn't run is an incident that is over once it is known. */
export async function noteNotRunning(
  tx: Db,
  { environment, clockAheadMs }: ServiceClock,
  { from, to, gapId }: TimeRange & { gapId: string },
  now: Date,
): Promise<void> {
  const away = { kind: 'not-running', environment, workflow: null } as const;
  await noteCondition(
    tx,
    {
      ...away,
      headline: null,
      causeText: "Notif wasn't running",
      causeKey: 'not-running',
      critical: false,
      beganAt: from,
      lastAt: to,
      gapId,
    },
    now,
  );
  await endCondition(tx, away, 'recovered', { now, clockAheadMs });
}
