import { and, desc, eq, isNull } from 'drizzle-orm';
import { messageSubjects, slackMessages } from '../outbox/tables.ts';
import type { Db } from '../store/db.ts';
import type { Watch } from '../watches/settings.ts';
import { watches } from '../watches/tables.ts';
import { watchWithId } from '../watches/watches.ts';
import { incidentIn } from './digest-says.ts';
import { watchAlerts } from './tables.ts';

/** The message in a channel that shows an incident as it is now; in its thread is what belongs to it. */
export async function liveThread(db: Db, incidentId: number, channel: string | null): Promise<string | null> {
  if (channel === null) return null;
  const isLive = and(
    eq(watchAlerts.incidentId, incidentId),
    eq(slackMessages.state, 'posted'),
    eq(slackMessages.channel, channel),
    eq(slackMessages.isThreadClosed, false),
    isNull(watches.endedAt),
  );
  const [live] = await db
    .select({ id: slackMessages.id })
    .from(watchAlerts)
    .innerJoin(slackMessages, eq(slackMessages.id, watchAlerts.messageId))
    .innerJoin(watches, eq(watches.id, watchAlerts.watchId))
    .where(isLive)
    .orderBy(desc(slackMessages.postedAt))
    .limit(1);
  return live?.id ?? null;
}

/** The watch whose message it is. */
export async function watchOfMessage(db: Db, messageId: string): Promise<Watch | null> {
  const [message] = await db.select().from(slackMessages).where(eq(slackMessages.id, messageId));
  return message?.owner == null ? null : watchWithId(db, message.owner);
}

/**
 * The incidents in whose thread somebody writes, by Slack's time of the message above it: those that it shows, or told of if each is
 * continued in a newer one.
 */
export async function incidentsOfThread(db: Db, channel: string, ts: string): Promise<readonly number[]> {
  const isThread = and(eq(slackMessages.channel, channel), eq(slackMessages.ts, ts), eq(slackMessages.state, 'posted'));
  const shown = await db
    .select({ id: watchAlerts.incidentId })
    .from(watchAlerts)
    .innerJoin(slackMessages, eq(slackMessages.id, watchAlerts.messageId))
    .where(isThread)
    .orderBy(watchAlerts.incidentId);
  if (shown.length > 0) return [...new Set(shown.map(({ id }) => id))];
  const told = await db
    .select({ subject: messageSubjects.subject })
    .from(messageSubjects)
    .innerJoin(slackMessages, eq(slackMessages.id, messageSubjects.messageId))
    .where(isThread)
    .orderBy(messageSubjects.subject);
  return told.flatMap(({ subject }) => incidentIn(subject) ?? []);
}
