import { subDays } from 'date-fns';
import { and, desc, eq, gte, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { boundedId, maybeBoundedId, type StorableJson } from '../lib/text/shown-id.ts';
import { WATCH_ENDS } from '../outbox/kinds.ts';
import { type Db, jsonOf } from '../store/db.ts';
import type { AuditedIncident, Change, ChangeOutcome, IncidentChange } from './change.ts';
import { audit as entries } from './tables.ts';

/** Typed values aren't recorded, except notes and a watch's settings, scrubbed. */
export type NewEntry = typeof entries.$inferInsert;

export type AuditedEntry = Omit<typeof entries.$inferSelect, 'change'> & { change: Change };

export const BY_ITSELF = 'notif';

export type Act = { actor: string; now: Date };

export function recordOnIncident(
  tx: Db,
  { id, environment, channel, provider }: Omit<AuditedIncident, 'number'> & { id: number; environment: string },
  act: Act & { channel: string | null },
  change: StorableJson<IncidentChange>,
): Promise<void> {
  const incident = auditedIncident({ number: id, channel, provider });
  return record(tx, act, { channel: act.channel, environment, incidentId: id, change: { ...change, incident } });
}

export function auditedIncident({ number, channel, provider }: AuditedIncident) {
  return { number, channel: boundedId(channel), provider: maybeBoundedId(provider) };
}

export async function record(
  tx: Db,
  { actor, now }: Act,
  entry: Pick<NewEntry, 'channel' | 'environment' | 'incidentId' | 'change'>,
) {
  await recordEntry(tx, { at: now, actor, ...entry, outcome: { is: 'done' }, intentId: null });
}

/** Returns false if the intent was recorded before. */
export async function recordEntry(tx: Db, entry: NewEntry) {
  const recorded = await tx.insert(entries).values(entry).onConflictDoNothing().returning({ id: entries.id });
  return recorded.length > 0;
}

/** A settled outcome stays; an unknown one can become known. */
export async function settleChange(db: Db, intentId: string, outcome: ChangeOutcome) {
  const isOpen = and(eq(entries.intentId, intentId), sql`${entries.outcome} ->> 'is' IN ('begun', 'unknown')`);
  await db.update(entries).set({ outcome }).where(isOpen);
}

/** Notes and followers go to the incident that takes over. */
export const copyEntries = (tx: Db, to: number, from: number): Promise<number> => tx.write(COPY, [to, from]);

const COPY = `
  INSERT INTO audit (at, actor, channel, environment, incident_id, change, outcome)
  SELECT at, actor, channel, environment, $1::bigint, jsonb_set(change, '{incident,number}', to_jsonb($1::bigint)), outcome FROM audit
  WHERE incident_id = $2 AND change ->> 'action' IN ('followed', 'unfollowed', 'noted') ORDER BY id`;

export interface PageQuery {
  since: Date;
  environments: readonly string[];
  olderThan: number | null;
  limit: number;
}

export async function auditEntries(db: Db, { since, environments, olderThan, limit }: PageQuery) {
  const { id, at, environment } = entries;
  // Changes of a watch or a channel have no environment.
  const isInOne = or(isNull(environment), inArray(environment, [...environments]));
  const isOlder = lt(id, olderThan ?? Number.MAX_SAFE_INTEGER);
  const isListed = and(gte(at, since), environments.length === 0 ? undefined : isInOne, isOlder);
  const newestFirst = db.select().from(entries).where(isListed).orderBy(desc(id));
  const listed = await newestFirst.limit(limit + 1);
  const items = listed.slice(0, limit).flatMap(({ change, ...entry }): AuditedEntry[] => {
    return change === null ? [] : [{ ...entry, change }];
  });
  return { items, hasOlder: listed.length > limit };
}

const LostRow = z.object({ at: z.date(), channel: z.string(), why: z.enum(WATCH_ENDS), watch: z.string() });
export type LostWatch = z.output<typeof LostRow>;

export const lostWatches = (db: Db, channel: string | null, now: Date): Promise<LostWatch[]> =>
  db.rows(LostRow, LOST, [channel, subDays(now, 7), jsonOf(WATCH_ENDS)]);

const LOST = `
  SELECT at, channel, change ->> 'why' AS why, change ->> 'watch' AS watch FROM audit
  WHERE change ->> 'action' = 'watch-lost' AND $3::jsonb ? (change ->> 'why') AND change ? 'watch' AND at > $2
    AND ($1::text IS NULL OR channel = $1) ORDER BY at DESC, id DESC`;
