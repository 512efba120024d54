import { eq, getTableColumns, isNull } from 'drizzle-orm';
import { failures, incidents } from '../../src/incidents/tables.ts';
import { alerts, messages } from '../../src/outbox/tables.ts';
import type { Db } from '../../src/store/db.ts';
import { mutes, watches } from '../../src/watches/tables.ts';

/** What the store holds at a time (`now`: by our clock), right before a poll, and around each edit of a watch. */
export type Sample = Awaited<ReturnType<typeof sampleOf>>;

export async function sampleOf(db: Db, at: number, nowMs: number) {
  const message = { state: messages.state, postedAt: messages.postedAt };
  return {
    ...{ at, now: new Date(nowMs) },
    watches: await db.select().from(watches),
    // An outage of the service has no failures.
    incidents: await db.select().from(incidents).where(isNull(incidents.gapId)),
    failures: await db.select().from(failures).orderBy(failures.seq),
    mutes: await db.select().from(mutes),
    alerts: await db
      .select({ ...getTableColumns(alerts), message })
      .from(alerts)
      .innerJoin(messages, eq(messages.id, alerts.messageId))
      .orderBy(alerts.at),
    messages: await db.select().from(messages),
  };
}
