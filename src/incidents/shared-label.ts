import { isDeepStrictEqual } from 'node:util';
import { and, desc, eq, gt, gte, ne } from 'drizzle-orm';
import { FEWEST_EVENTS, labelsOf, sharedLabel, type Traffic } from '../failures/labels.ts';
import { alerts } from '../outbox/tables.ts';
import type { Db } from '../store/db.ts';
import { failures, incidents } from './tables.ts';

const MOST_EXAMINED = 250;

/** While the traffic isn't known yet, what was found before stays. */
export async function noteSharedLabels(db: Db, messageId: string, traffic: Traffic) {
  const { id, environment, state, failures: total, startedSeq, shared: known } = incidents;
  const isOpen = and(eq(alerts.messageId, messageId), ne(state, 'resolved'), gte(total, FEWEST_EVENTS));
  const open = db.select({ id, environment, total, startedSeq, known }).from(incidents);
  const rows = await open.innerJoin(alerts, eq(alerts.incidentId, id)).where(isOpen);
  for (const row of rows) {
    const isCounted = and(eq(failures.incidentId, row.id), gt(failures.seq, row.startedSeq));
    const newest = await db.select().from(failures).where(isCounted).orderBy(desc(failures.seq)).limit(MOST_EXAMINED);
    const byEvent = new Map(newest.map((failure) => [failure.eventKey, failure]));
    const failed = [...byEvent.values()].map((row) => ({ workflow: row.workflow ?? '', labels: labelsOf(row) }));
    const found = sharedLabel(failed, traffic.sample(row.environment));
    if (found === 'unknown') continue;
    const shared = found && { ...found, isOfNewest: newest.length < row.total };
    if (!isDeepStrictEqual(shared, row.known)) await db.update(incidents).set({ shared }).where(eq(id, row.id));
  }
}
