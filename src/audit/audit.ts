import { and, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import type { ServiceProblem } from '../lib/errors.ts';
import type { Db } from '../store/db.ts';
import { audit as entries, incidents } from '../store/schema.ts';
import { describeWatch } from '../watches/parse-settings.ts';
import type { Watch } from '../watches/settings.ts';

export async function settleChange(db: Db, intentId: string, outcome: ChangeOutcome): Promise<void> {
  const isOpen = sql`${entries.outcome} ->> 'is' IN ('begun', 'unknown')`;
  await db
    .update(entries)
    .set({ outcome })
    .where(and(eq(entries.intentId, intentId), isOpen));
}

export interface PageQuery {
  readonly since: Date;
  readonly environments: readonly string[];
  readonly olderThan: number | null;
  readonly limit: number;
}

export async function auditEntries(db: Db, { since, environments, olderThan, limit }: PageQuery): Promise<AuditPage> {
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

function withTimes<Entry extends AuditEntry>(entry: Entry): Entry {
  const { change } = entry;
  return 'until' in change ? { ...entry, change: { ...change, until: new Date(change.until) } } : entry;
}

export async function recordEntry(tx: Db, entry: AuditEntry & { readonly incidentId?: number }): Promise<boolean> {
  const recorded = await tx.insert(entries).values(entry).onConflictDoNothing().returning({ id: entries.id });
  return recorded.length > 0;
}

type Act = { readonly by: string; readonly now: Date };

export function recordOnWatch(tx: Db, { channel, settings }: Watch, act: Act, change: WatchChange): Promise<void> {
  return record(tx, act, { channel, environment: null, change: { ...change, watch: describeWatch(settings) } });
}

export async function recordOnIncident(
  tx: Db,
  { incidentId, channel }: { readonly incidentId: number; readonly channel: string | null },
  act: Act,
  change: IncidentChange,
): Promise<void> {
  const [row] = await tx.select().from(incidents).where(eq(incidents.id, incidentId));
  if (row === undefined) throw new Error(`there is no incident ${incidentId}`);
  const { environment, provider } = row;
  const incident = { number: incidentId, channel: row.channel, provider };
  await record(tx, act, { channel, environment, incidentId, change: { ...change, incident } });
}

export async function record(
  tx: Db,
  { by, now }: Act,
  what: Pick<AuditEntry, 'channel' | 'environment' | 'change'> & { readonly incidentId?: number },
): Promise<void> {
  await recordEntry(tx, { at: now, actor: by, ...what, outcome: { is: 'done' }, intentId: null });
}

/** No payload or other typed value. */
export interface AuditEntry {
  readonly at: Date;
  readonly actor: string;
  readonly channel: string | null;
  readonly environment: string | null;
  readonly change: Change;
  readonly outcome: ChangeOutcome;
  readonly intentId: string | null;
}

export type Change =
  | { readonly action: 'trigger'; readonly workflow: string; readonly recipients: number }
  | { readonly action: 'credentials'; readonly subscriberId: string; readonly provider: string }
  | (WatchChange & { readonly watch: string })
  | (IncidentChange & { readonly incident: AuditedIncident })
  | { readonly action: 'deployed' }
  | { readonly action: 'channel-environment'; readonly to: string | null };

export type WatchChange =
  | { readonly action: 'watch-made' | 'watch-changed' | 'watch-ended' | 'watch-unmuted' }
  | { readonly action: 'watch-muted'; readonly until: Date };

/** `text`: without secrets and contacts. */
export type IncidentChange =
  | { readonly action: 'incident-unmuted' | 'acknowledged' | 'unacknowledged' | 'resolved' }
  | { readonly action: 'incident-muted'; readonly until: Date }
  | { readonly action: 'noted'; readonly text: string }
  | { readonly action: 'assigned'; readonly to: string };

export interface AuditedIncident {
  readonly number: number;
  readonly channel: string;
  readonly provider: string | null;
}

export type ChangeOutcome =
  | { readonly is: 'begun' }
  | { readonly is: 'done' }
  | { readonly is: 'sent'; readonly accepted: number; readonly refused: number }
  /** A code: the service's message may quote what was typed. */
  | { readonly is: 'refused'; readonly why: ServiceProblem['kind'] | 'not-found' }
  | { readonly is: 'unknown' };

export type NumberedEntry = AuditEntry & { readonly number: number };

export interface AuditPage {
  readonly entries: readonly NumberedEntry[];
  readonly hasOlder: boolean;
}
