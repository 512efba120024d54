import { subMilliseconds } from 'date-fns';
import type { EnvironmentRow } from '../coverage/tables.ts';
import type { ServiceProblem } from '../lib/errors.ts';
import { byLaggingClock } from '../lib/time/service-clock.ts';
import { briefWhy } from '../service/problem-words.ts';
import type { Db } from '../store/db.ts';
import { endCondition, noteCondition } from './conditions.ts';

/** A service that two polls couldn't read is an incident, with the gap that it leaves. Needs a lock on the environment. */
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

export async function noteReadable(tx: Db, environment: string, clockAheadMs: number | null, now: Date): Promise<void> {
  await endCondition(tx, { kind: 'unreadable', environment, workflow: null }, 'recovering', { now, clockAheadMs });
}
