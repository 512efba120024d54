import { and, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import type { Db } from '../store/db.ts';
import { audit as entries, incidents } from '../store/schema.ts';
import { describeWatch, type Watch } from '../watches/settings.ts';
import type { AuditEntry, AuditedIncident, AuditPage, AuditQuery, Change, ChangeOutcome } from './entry.ts';

/** Records the outcome of an intent's change. Overwrites only `begun` and `unknown`; a certain outcome stays. */
export async function settleChange(db: Db, intentId: string, outcome: ChangeOutcome): Promise<void> {
  const isOpen = sql`${entries.outcome} ->> 'is' IN ('begun', 'unknown')`;
  await db
    .update(entries)
    .set({ outcome })
    .where(and(eq(entries.intentId, intentId), isOpen));
}

export async function auditEntries(db: Db, { since, environments, olderThan, limit }: AuditQuery): Promise<AuditPage> {
  const { id, at, actor, channel, environment, change, outcome, intentId } = entries;
  const isThere = environments.length === 0 ? undefined : inArray(environment, [...environments]);
  const isOlder = olderThan === null ? undefined : lt(id, olderThan);
  const found = await db
    .select({ number: id, at, actor, channel, environment, change, outcome, intentId })
    .from(entries)
    .where(and(gte(at, since), isThere, isOlder))
    .orderBy(desc(id))
    .limit(limit + 1);
  return { entries: found.slice(0, limit).map(withTimes), hasOlder: found.length > limit };
}

/** Times within JSON are text. */
function withTimes<Entry extends AuditEntry>(entry: Entry): Entry {
  const { change } = entry;
  return 'until' in change ? { ...entry, change: { ...change, until: new Date(change.until) } } : entry;
}

/** Records an entry in the transaction of `tx`. Returns false and writes nothing if its intent already has one. */
export async function recordEntry(tx: Db, entry: AuditEntry & { readonly incidentId?: number }): Promise<boolean> {
  const recorded = await tx.insert(entries).values(entry).onConflictDoNothing().returning({ id: entries.id });
  return recorded.length > 0;
}

type Act = { readonly by: string; readonly now: Date };

export function recordOnWatch(
  tx: Db,
  { channel, settings }: Pick<Watch, 'channel' | 'settings'>,
  act: Act,
  changeOf: (watch: string) => Change,
): Promise<void> {
  return record(tx, act, { channel, environment: null, change: changeOf(describeWatch(settings)) });
}

/** `channel`: where somebody acted on it; null if it isn't known. */
export async function recordOnIncident(
  tx: Db,
  { incidentId, channel }: { readonly incidentId: number; readonly channel: string | null },
  act: Act,
  changeOf: (incident: AuditedIncident) => Change,
): Promise<void> {
  const [row] = await tx.select().from(incidents).where(eq(incidents.id, incidentId));
  if (row === undefined) throw new Error(`there is no incident ${incidentId}`);
  const incident = { number: incidentId, channel: row.channel, provider: row.provider };
  await record(tx, act, { channel, environment: row.environment, incidentId, change: changeOf(incident) });
}

export async function record(
  tx: Db,
  { by, now }: Act,
  what: Pick<AuditEntry, 'channel' | 'environment' | 'change'> & { readonly incidentId?: number },
): Promise<void> {
  await recordEntry(tx, { at: now, actor: by, ...what, outcome: { is: 'done' }, intentId: null });
}
