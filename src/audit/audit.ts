import { and, desc, eq, gte, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { Db } from '../store/db.ts';
import { type ChangeOutcome, type EntryRow, audit as entries } from './tables.ts';

/** Typed values aren't recorded, except notes and a watch's settings, scrubbed. */
export type NewEntry = Omit<EntryRow, 'id' | 'incidentId' | 'outbreak'> &
  Partial<Pick<EntryRow, 'incidentId' | 'outbreak'>>;

/** The actor of what nobody did. */
export const BY_ITSELF = 'notif';

export interface Act {
  actor: string;
  now: Date;
}

export async function record(
  tx: Db,
  { actor, now }: Act,
  entry: Pick<NewEntry, 'channel' | 'environment' | 'change'> & Partial<Pick<NewEntry, 'incidentId' | 'outbreak'>>,
): Promise<void> {
  const { incidentId = null } = entry;
  await recordEntry(tx, { at: now, actor, ...entry, incidentId, outcome: { is: 'done' }, intentId: null });
}

/** Returns false if the intent was recorded before. */
export async function recordEntry(tx: Db, entry: NewEntry): Promise<boolean> {
  const recorded = await tx.insert(entries).values(entry).onConflictDoNothing().returning({ id: entries.id });
  return recorded.length > 0;
}

export async function recordEntries(tx: Db, added: readonly NewEntry[]): Promise<void> {
  if (added.length > 0) await tx.insert(entries).values([...added]);
}

/** A settled outcome stays; an unknown one can become known. */
export async function settleChange(db: Db, intentId: string, outcome: ChangeOutcome): Promise<void> {
  const isOpen = and(eq(entries.intentId, intentId), sql`${entries.outcome} ->> 'is' IN ('begun', 'unknown')`);
  await db.update(entries).set({ outcome }).where(isOpen);
}

export interface PageQuery {
  since: Date;
  environments: readonly string[];
  olderThan: number | null;
  limit: number;
}

export interface EntryPage {
  items: readonly EntryRow[];
  hasOlder: boolean;
}

/** What people did. What Notif saw happen to incidents isn't listed. */
export async function auditEntries(db: Db, { since, environments, olderThan, limit }: PageQuery): Promise<EntryPage> {
  const { id, at, environment, actor, incidentId } = entries;
  // Changes of a watch or a channel have no environment.
  const isInOne = or(isNull(environment), inArray(environment, [...environments]));
  const isOlder = lt(id, olderThan ?? Number.MAX_SAFE_INTEGER);
  const isDone = or(ne(actor, BY_ITSELF), isNull(incidentId));
  const isListed = and(gte(at, since), environments.length === 0 ? undefined : isInOne, isOlder, isDone);
  const newestFirst = db.select().from(entries).where(isListed).orderBy(desc(id));
  const listed = await newestFirst.limit(limit + 1);
  return { items: listed.slice(0, limit), hasOlder: listed.length > limit };
}
