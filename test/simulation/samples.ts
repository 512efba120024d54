import { eq } from 'drizzle-orm';
import { failures, incidents, outbreaks } from '../../src/incidents/tables.ts';
import { messageSubjects, slackMessages } from '../../src/outbox/tables.ts';
import type { Db } from '../../src/store/db.ts';
import { mutes, watches } from '../../src/watches/tables.ts';

/** The store's rows at a true time: right before and after each poll, and around each edit of a watch. `now` is that time by Notif's clock. */
export type Sample = Awaited<ReturnType<typeof sampleOf>>;

export async function sampleOf(db: Db, at: number, nowMs: number) {
  return {
    at,
    now: new Date(nowMs),
    watches: await db.select().from(watches),
    incidents: await db.select().from(incidents).where(eq(incidents.kind, 'failures')),
    outbreaks: await db.select().from(outbreaks),
    failures: await db.select().from(failures).orderBy(failures.seq),
    mutes: await db.select().from(mutes),
    messages: await db.select().from(slackMessages),
    subjects: await db.select().from(messageSubjects),
  };
}
