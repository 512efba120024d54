import { and, asc, desc, eq, gt, inArray, isNotNull, lt, max, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Act, BY_ITSELF, record, recordEntries } from '../audit/audit.ts';
import { audit, type EntryRow } from '../audit/tables.ts';
import { RECORDED_VERDICTS } from '../judging/verdict.ts';
import { boundedId, maybeBoundedId, type Storable, type StorableJson, stored } from '../lib/text/shown-id.ts';
import { StoredTime } from '../store/columns.ts';
import type { Db } from '../store/db.ts';
import { BADNESSES } from './badness.ts';
import { renewVersions } from './incident-rows.ts';
import type { IncidentRow } from './tables.ts';

/** What Notif itself sees happen to an incident. What people do stands in the same table, as they did it. */
export const Occurrence = z.discriminatedUnion('action', [
  z.object({
    action: z.enum(['began', 'back']),
    failedAt: StoredTime,
    workflow: z.string().nullable(),
    critical: z.boolean(),
  }),
  z.object({ action: z.literal('began-earlier'), failedAt: StoredTime }),
  /** `isBrief`: what flaps recovered for a moment only. */
  z.object({ action: z.literal('failing-again'), failedAt: StoredTime, isBrief: z.boolean().default(false) }),
  z.object({ action: z.literal('worse'), badness: z.enum(BADNESSES), failed: z.number(), tried: z.number() }),
  z.object({ action: z.literal('critical'), workflow: z.string().nullable() }),
  z.object({ action: z.enum(['recovering', 'unconfirmed']), lastFailedAt: StoredTime }),
  z.object({
    action: z.literal('ended'),
    ending: z.enum(['recovered', 'unconfirmed', 'continued']),
    from: StoredTime,
    to: StoredTime,
    failures: z.number(),
    subscribers: z.number(),
    isAtLeast: z.boolean(),
    verdicts: z.array(z.enum(RECORDED_VERDICTS)),
  }),
  /** `failures` is less than zero where some were delivered after all. */
  z.object({ action: z.literal('found-later'), failures: z.number(), of: z.number() }),
  z.object({ action: z.literal('cause-clear'), headline: z.string() }),
  z.object({ action: z.enum(['goes-on-as', 'continues']), other: z.number() }),
  z.object({
    action: z.literal('caught-up'),
    from: StoredTime,
    to: StoredTime,
    events: z.number(),
    failures: z.number(),
  }),
  /** Slack refused a direct message about it; `code` is Slack's word for why. */
  z.object({ action: z.literal('unreached'), to: z.string(), code: z.string() }),
  z.object({ action: z.literal('change-nearby'), change: z.number(), changedAt: StoredTime }),
]);
export type Occurrence = z.output<typeof Occurrence>;

/** What a person does about an incident. */
export const IncidentAct = z.discriminatedUnion('action', [
  z.object({ action: z.enum(['acknowledged', 'unacknowledged', 'resolved', 'reopened', 'followed', 'unfollowed']) }),
  z.object({ action: z.literal('assigned'), to: z.string() }),
  z.object({ action: z.literal('noted'), text: z.string() }),
  z.object({ action: z.literal('incident-muted'), from: StoredTime.optional(), until: StoredTime }),
  z.object({ action: z.literal('incident-unmuted') }),
  z.object({ action: z.literal('sent-again'), notifications: z.number() }),
]);
export type IncidentAct = z.output<typeof IncidentAct>;

/** An incident as entries of people's acts name it. */
export interface AuditedIncident {
  number: number;
  channel: Storable;
  provider: Storable | null;
}

/** An incident that something is done to. */
export type ActedOn = Pick<IncidentRow, 'id' | 'environment' | 'channel' | 'provider' | 'outbreak'>;

export const auditedIncident = ({
  id,
  channel,
  provider,
}: Pick<ActedOn, 'id' | 'channel' | 'provider'>): AuditedIncident => ({
  number: id,
  channel: boundedId(channel),
  provider: maybeBoundedId(provider),
});

/** What is to be noted of an incident. */
export interface Happening {
  incident: Pick<IncidentRow, 'id' | 'environment' | 'channel' | 'provider'>;
  outbreak: number;
  occurrence: StorableJson<Occurrence>;
}

/** Writes what happened in the transaction that makes it so. */
export async function noteHappenings(tx: Db, happenings: readonly Happening[], now: Date): Promise<void> {
  const entries = happenings.map(({ incident, outbreak, occurrence }) => ({
    at: now,
    actor: BY_ITSELF,
    channel: null,
    environment: incident.environment,
    incidentId: incident.id,
    outbreak,
    change: stored({ ...occurrence, incident: auditedIncident(incident) }),
    outcome: { is: 'done' } as const,
    intentId: null,
  }));
  await recordEntries(tx, entries);
}

/** Writes what a person did to an incident, and how it changed. */
export async function recordAct(
  tx: Db,
  incident: ActedOn,
  { channel, ...act }: Act & { channel: string | null },
  change: StorableJson<IncidentAct>,
): Promise<void> {
  const { id: incidentId, environment, outbreak } = incident;
  await renewVersions(tx, environment, [incidentId]);
  const acted = stored({ ...change, incident: auditedIncident(incident) });
  await record(tx, act, { channel, environment, incidentId, outbreak, change: acted });
}

export interface TimelineEntry {
  id: number;
  at: Date;
  /** Null: Notif itself. */
  actor: string | null;
  channel: string | null;
  outbreak: number | null;
  /** Null: an entry of another version of Notif. */
  change: Occurrence | IncidentAct | null;
}

const Change = z.union([Occurrence, IncidentAct]);

/** An entry of the audit table, which has people's acts and what happened. */
function parseEntry({ id, at, actor, channel, outbreak, change }: EntryRow): TimelineEntry {
  const known = Change.safeParse(change).data ?? null;
  return { id, at, actor: actor === BY_ITSELF ? null : actor, channel, outbreak, change: known };
}

/** What happened to an incident and what people did, from its first failure on. */
export async function timelineOf(db: Db, incidentId: number): Promise<readonly TimelineEntry[]> {
  const rows = await db.select().from(audit).where(eq(audit.incidentId, incidentId)).orderBy(asc(audit.id));
  return rows.map(parseEntry);
}

/** An entry, with the incident that it is of. */
export interface IncidentEntry extends TimelineEntry {
  incidentId: number;
}

/** It got critical, or every attempt fails. */
export const isRise = ({ change }: TimelineEntry): boolean =>
  change?.action === 'critical' || (change?.action === 'worse' && change.badness === 'every');

/** The last wanted entry among the hundred before this one. */
export async function lastEntryBefore(
  db: Db,
  { incidentId, id }: IncidentEntry,
  isWanted: (entry: TimelineEntry) => boolean,
): Promise<TimelineEntry | null> {
  const isBefore = and(eq(audit.incidentId, incidentId), lt(audit.id, id));
  const rows = await db.select().from(audit).where(isBefore).orderBy(desc(audit.id)).limit(100);
  return rows.map(parseEntry).find(isWanted) ?? null;
}

/** The number of the newest entry of each incident's timeline. */
export async function newestEntries(db: Db, incidentIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (incidentIds.length === 0) return new Map();
  const rows = await db
    .select({ incidentId: audit.incidentId, id: max(audit.id) })
    .from(audit)
    .where(inArray(audit.incidentId, [...incidentIds]))
    .groupBy(audit.incidentId);
  return new Map(rows.flatMap(({ incidentId, id }) => (incidentId === null || id === null ? [] : [[incidentId, id]])));
}

/** When each of these incidents last became *every*. */
export async function lastRisesToEvery(db: Db, incidentIds: readonly number[]): Promise<ReadonlyMap<number, Date>> {
  if (incidentIds.length === 0) return new Map();
  const isRise = sql`${audit.change} @> '{"action":"worse","badness":"every"}'::jsonb`;
  const rows = await db
    .select({ incidentId: audit.incidentId, at: max(audit.at) })
    .from(audit)
    .where(and(inArray(audit.incidentId, [...incidentIds]), isRise))
    .groupBy(audit.incidentId);
  return new Map(rows.flatMap(({ incidentId, at }) => (incidentId === null || at === null ? [] : [[incidentId, at]])));
}

export async function entriesAfter(db: Db, environment: string, after: number): Promise<readonly IncidentEntry[]> {
  const isNew = and(gt(audit.id, after), isNotNull(audit.incidentId), eq(audit.environment, environment));
  return entriesIn(await db.select().from(audit).where(isNew).orderBy(audit.id));
}

export async function entriesWithIds(db: Db, ids: readonly number[]): Promise<readonly IncidentEntry[]> {
  const isNamed = inArray(audit.id, [...ids]);
  return ids.length === 0 ? [] : entriesIn(await db.select().from(audit).where(isNamed).orderBy(audit.id));
}

/** Entries of these incidents that are newer than the one of each that is shown. */
export async function entriesSince(
  db: Db,
  shown: readonly { incidentId: number; entryId: number }[],
): Promise<readonly IncidentEntry[]> {
  if (shown.length === 0) return [];
  const newest = new Map(shown.map(({ incidentId, entryId }) => [incidentId, entryId]));
  const isNewer = and(inArray(audit.incidentId, [...newest.keys()]), gt(audit.id, Math.min(...newest.values())));
  const entries = entriesIn(await db.select().from(audit).where(isNewer).orderBy(audit.id));
  return entries.filter(({ id, incidentId }) => id > (newest.get(incidentId) ?? id));
}

const entriesIn = (rows: readonly EntryRow[]): readonly IncidentEntry[] =>
  rows.flatMap((row) => (row.incidentId === null ? [] : [{ ...parseEntry(row), incidentId: row.incidentId }]));
