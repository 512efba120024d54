import { clearTrouble, noteLag, setTrouble, type Trouble } from '../coverage/environments.ts';
import { countInOpenGap, endGaps } from '../coverage/gaps.ts';
import { lagAfter } from '../coverage/lag.ts';
import type { EnvironmentRow } from '../coverage/tables.ts';
import { noteReadable, noteSlowness, noteUnreadable } from '../incidents/service-conditions.ts';
import { lengthOf } from '../lib/time/durations.ts';
import type { Db } from '../store/db.ts';
import type { Reading } from './reading.ts';

/** A poll that the service answered, between two times by our clock. */
export interface Poll {
  begunAt: Date;
  endedAt: Date;
  /** How far the present was read, and how far it was to be read, by the service's clock. */
  checkedTo: Date;
  end: Date;
}

/** `known` is the environment as it was before the poll. */
export async function notePoll(reading: Reading, known: EnvironmentRow, poll: Poll): Promise<void> {
  const { ctx, environment, service, added } = reading;
  const { begunAt, endedAt, checkedTo, end } = poll;
  const clockAheadMs = service.clockAheadMs();
  const isWhole = checkedTo >= end;
  const lagMs = isWhole ? 0 : lengthOf({ from: checkedTo, to: reading.serviceNow() });
  const lag = lagAfter(known, lagMs, { begunAt, endedAt, pollMs: ctx.pollMs });
  await ctx.db.transaction(async (tx) => {
    await noteSuccess(tx, environment, clockAheadMs, begunAt);
    if (lag.lagMs !== null || known.lagMs !== null) {
      await noteLag(tx, environment, endedAt, lag);
      await noteSlowness(tx, { environment, clockAheadMs }, lag, begunAt);
    }
    if (isWhole) await endGaps(tx, environment, { end, added }, begunAt);
    else await countInOpenGap(tx, environment, added);
  });
}

export async function noteSuccess(tx: Db, environment: string, clockAheadMs: number | null, now: Date): Promise<void> {
  if (await clearTrouble(tx, environment, clockAheadMs, now)) await noteReadable(tx, environment, clockAheadMs, now);
}

export async function noteTrouble(db: Db, environment: string, trouble: Trouble, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const outage = await setTrouble(tx, environment, trouble, now);
    if (outage === null) return;
    await noteUnreadable(tx, outage.failing, { problem: trouble.problem, gapId: outage.gapId }, now);
  });
}
