import { eq } from 'drizzle-orm';
import {
  type FailureRow,
  failures,
  type IncidentRow,
  incidents,
  type OutbreakRow,
  outbreaks,
} from '../../src/incidents/tables.ts';
import { type MessageRow, type MessageSubjectRow, messageSubjects, slackMessages } from '../../src/outbox/tables.ts';
import type { Db } from '../../src/store/db.ts';
import { type MuteRow, mutes, type WatchRow, watches } from '../../src/watches/tables.ts';

/** The store's rows at a true time: right before and after each poll, and around each edit of a watch. */
export interface Sample {
  at: number;
  /** The same time by Notif's clock. */
  now: Date;
  watches: readonly WatchRow[];
  incidents: readonly IncidentRow[];
  outbreaks: readonly OutbreakRow[];
  failures: readonly FailureRow[];
  mutes: readonly MuteRow[];
  messages: readonly MessageRow[];
  subjects: readonly MessageSubjectRow[];
}

export async function sampleOf(db: Db, at: number, nowMs: number): Promise<Sample> {
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
