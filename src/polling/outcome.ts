import * as coverage from '../coverage/environments.ts';
import { noteOutage, noteOutageOver } from '../incidents/outage.ts';
import type { Db } from '../store/db.ts';

export async function noteSuccess(tx: Db, environment: string, clockAheadMs: number | null, now: Date): Promise<void> {
  if (await coverage.noteSuccess(tx, environment, clockAheadMs, now)) await noteOutageOver(tx, environment, now);
}

/** An environment that two polls couldn't read is an incident. */
export function noteTrouble(db: Db, environment: string, trouble: coverage.Trouble, now: Date): Promise<void> {
  return db.transaction(async (tx) => {
    const noted = await coverage.noteTrouble(tx, environment, trouble, now);
    if (noted !== null) await noteOutage(tx, noted.failing, { problem: trouble.problem, gapId: noted.gapId }, now);
  });
}
