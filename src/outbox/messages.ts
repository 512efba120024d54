import { and, eq, inArray, sql } from 'drizzle-orm';
import { type Stored, stored } from '../lib/text/shown-id.ts';
import { type Db, textList } from '../store/db.ts';
import type { Initiator } from './kinds.ts';
import { type MessageRow, messageSubjects, slackMessages as messages } from './tables.ts';

export type NewMessage = typeof messages.$inferInsert;

/** Has a message posted. Returns its ID, or null if its owner has one of this kind and subject. */
export async function enqueue(tx: Db, message: NewMessage): Promise<string | null> {
  const [added] = await tx.insert(messages).values(message).onConflictDoNothing().returning({ id: messages.id });
  return added?.id ?? null;
}

/** A direct message names who caused it, or that nobody did. */
export async function enqueueDirect(
  tx: Db,
  message: NewMessage & { initiator: Initiator | null },
): Promise<string | null> {
  return enqueue(tx, message);
}

/** Has posted messages about these subjects drawn again. A change of state is urgent; counts wait for their minute. */
export async function askForRedraw(
  tx: Db,
  subjects: readonly string[],
  { at, isUrgent }: { at: Date; isUrgent: boolean },
): Promise<void> {
  if (subjects.length === 0) return;
  const due = isUrgent ? sql`${at}` : sql`GREATEST(${at}, m.drawn_at + interval '1 minute')`;
  await tx.write(sql`
    UPDATE slack_messages m
    SET
      next_at = LEAST(coalesce(m.next_at, 'infinity'), ${due}),
      is_urgent = m.is_urgent OR ${isUrgent}
    WHERE m.state IN ('posting', 'posted')
      AND NOT m.is_left
      AND m.id IN (SELECT message_id FROM message_subjects WHERE subject IN ${textList(subjects)})`);
}

/** Has the posted messages of an owner drawn again. */
export async function redrawOwned(tx: Db, owner: string, at: Date): Promise<void> {
  await tx.write(sql`
    UPDATE slack_messages
    SET next_at = ${at}, is_urgent = true
    WHERE owner = ${owner}
      AND state IN ('posting', 'posted')
      AND NOT is_left`);
}

export async function redrawMessage(tx: Db, id: string, at: Date): Promise<void> {
  const isPosted = and(eq(messages.id, id), inArray(messages.state, ['posting', 'posted']), eq(messages.isLeft, false));
  await tx.update(messages).set({ nextAt: at, isUrgent: true }).where(isPosted);
}

/** A message that waits is posted at once. */
export async function postAtOnce(tx: Db, id: string): Promise<void> {
  await tx
    .update(messages)
    .set({ nextAt: null })
    .where(and(eq(messages.id, id), eq(messages.state, 'waiting')));
}

/** Stores a message that stands in Slack as posted: the store doesn't know it, or not that it was posted. */
export async function adoptMessage(
  tx: Db,
  message: NewMessage & { id: string; ts: string; postedAt: Date },
  now: Date,
): Promise<void> {
  // What it shows is unknown: an empty hash has it edited.
  const posted = { state: 'posted', shownHash: '', nextAt: now, isUrgent: true, leasedUntil: null } as const;
  const { ts, postedAt } = message;
  await tx
    .insert(messages)
    .values({ ...message, ...posted })
    .onConflictDoUpdate({ target: messages.id, set: { ts, postedAt, content: message.content, ...posted } });
}

export async function postOwnedAtOnce(db: Db, owner: string): Promise<void> {
  await db
    .update(messages)
    .set({ nextAt: null })
    .where(and(eq(messages.owner, owner), eq(messages.state, 'waiting')));
}

/** Messages name environments by what they were called when they were written. */
export async function renameInMessages(tx: Db, from: string, to: string): Promise<void> {
  await tx.write(sql`
    UPDATE slack_messages
    SET order_group = owner || ' ' || ${to}::text
    WHERE order_group = owner || ' ' || ${from}::text`);
  await tx.write(sql`
    UPDATE slack_messages
    SET content = jsonb_set(content, '{environments}', (content -> 'environments') - ${from}::text || to_jsonb(${to}::text))
    WHERE content -> 'environments' ? ${from}::text`);
}

export async function forgetMessages(tx: Db, owner: string): Promise<void> {
  await tx.delete(messages).where(eq(messages.owner, owner));
}

/** An owner's messages stay as they are. */
export async function leavePosted(tx: Db, owner: string): Promise<void> {
  await tx.update(messages).set({ isLeft: true }).where(eq(messages.owner, owner));
}

export async function messageWithId(db: Db, id: string): Promise<MessageRow | null> {
  const [message = null] = await db.select().from(messages).where(eq(messages.id, id));
  return message;
}

/** A message of the group that no post was begun of: what is to be said joins it. Locked, unless it is being claimed. */
export async function waitingIn(tx: Db, orderGroup: string): Promise<string | null> {
  const isWaiting = and(
    eq(messages.orderGroup, orderGroup),
    eq(messages.state, 'waiting'),
    sql`${messages.begunAt} IS NULL AND ${messages.unresolvedSince} IS NULL`,
  );
  const [waiting] = await tx
    .select()
    .from(messages)
    .where(isWaiting)
    .orderBy(messages.createdAt)
    .limit(1)
    .for('update', { skipLocked: true });
  return waiting?.id ?? null;
}

/** What a message says of a subject. */
export interface Said {
  subject: string;
  says: Stored;
}

export async function saidBy(db: Db, messageId: string): Promise<readonly Said[]> {
  return db
    .select()
    .from(messageSubjects)
    .where(eq(messageSubjects.messageId, messageId))
    .orderBy(messageSubjects.subject);
}

/** What the message says of each subject, written before anybody can read it. */
export async function noteSaid(tx: Db, messageId: string, said: readonly Said[]): Promise<void> {
  await tx.delete(messageSubjects).where(eq(messageSubjects.messageId, messageId));
  if (said.length > 0)
    await tx
      .insert(messageSubjects)
      .values(said.map(({ subject, says }) => ({ messageId, subject, says: stored(says) })));
}
