import { z } from 'zod';
import type {
  AuditEntry,
  AuditedIncident,
  AuditPage,
  AuditQuery,
  Change,
  ChangeOutcome,
} from '../domain/access/audit.ts';
import type { Db } from '../store/db.ts';
import { Count, rowWith } from '../store/row.ts';
import { jsonOf } from '../store/values.ts';
import { describeWatch, type Watch } from '../watches/settings.ts';

export function audit(database: Db) {
  return {
    recordChange: (entry: AuditEntry) => recordEntry(database, entry),
    /** Records the outcome of an intent's change. Overwrites only `begun` and `unknown`; a certain outcome stays. */
    settleChange: async (intentId: string, outcome: ChangeOutcome): Promise<void> => {
      await database.write(SETTLE, [jsonOf(outcome), intentId]);
    },
    auditEntries: async ({ since, environments, olderThan, limit }: AuditQuery): Promise<AuditPage> => {
      const values = [since, jsonOf(environments), olderThan, limit + 1];
      const found = await database.rows(EntryRow, ENTRIES, values);
      return { entries: found.slice(0, limit), hasOlder: found.length > limit };
    },
  };
}

/** Records an entry in the transaction of `sql`. Returns false and writes nothing if its intent already has one. */
export async function recordEntry(sql: Db, entry: AuditEntry & { readonly incidentId?: number }): Promise<boolean> {
  const { at, actor, channel, environment, change, outcome, intentId, incidentId = null } = entry;
  const values = [at, actor, channel, environment, jsonOf(change), jsonOf(outcome), intentId, incidentId];
  return (await sql.write(RECORD, values)) > 0;
}

const RECORD = `
  INSERT INTO audit (at, actor, channel, environment, change, outcome, intent_id, incident_id)
  VALUES ($1, $2, $3, $4, $5::jsonb, $6::jsonb, $7, $8) ON CONFLICT (intent_id) DO NOTHING`;

const SETTLE = `UPDATE audit SET outcome = $1::jsonb WHERE intent_id = $2 AND outcome ->> 'is' IN ('begun', 'unknown')`;

const ENTRIES = `
  SELECT * FROM audit WHERE at >= $1 AND ($2::jsonb = '[]' OR $2::jsonb ? environment) AND ($3::bigint IS NULL OR id < $3)
  ORDER BY id DESC LIMIT $4`;

const incident = z.object({ number: z.number().nullable(), channel: z.string(), provider: z.string().nullable() });
const until = z.coerce.date();
const watch = z.string();

const StoredChange = z.discriminatedUnion('action', [
  z.object({ action: z.literal('trigger'), workflow: z.string(), recipients: z.number() }),
  z.object({ action: z.literal('credentials'), subscriberId: z.string(), provider: z.string() }),
  z.object({ action: z.enum(['watch-made', 'watch-changed', 'watch-ended']), watch }),
  z.object({ action: z.literal('watch-muted'), watch, until }),
  z.object({ action: z.literal('watch-unmuted'), watch }),
  z.object({ action: z.literal('incident-muted'), incident, until }),
  z.object({ action: z.literal('assigned'), incident, to: z.string() }),
  z.object({ action: z.enum(['incident-unmuted', 'acknowledged', 'unacknowledged', 'resolved']), incident }),
  z.object({ action: z.literal('noted'), incident, text: z.string() }),
  z.object({ action: z.literal('deployed') }),
  z.object({ action: z.literal('channel-environment'), to: z.string().nullable() }),
]);

const EntryRow = rowWith({
  id: Count,
  at: z.date(),
  actor: z.string(),
  channel: z.string().nullable(),
  environment: z.string().nullable(),
  change: StoredChange,
  outcome: z.custom<ChangeOutcome>(),
  intentId: z.string().nullable(),
}).transform(({ id: number, ...entry }) => ({ ...entry, number }));

export interface Act {
  readonly by: string;
  readonly now: Date;
}

export async function recordOnWatch(
  sql: Db,
  { channel, settings }: Pick<Watch, 'channel' | 'settings'>,
  act: Act,
  changeOf: (watch: string) => Change,
): Promise<void> {
  await record(sql, act, { channel, environment: null, change: changeOf(describeWatch(settings)) });
}

const IncidentRow = z.object({ environment: z.string(), channel: z.string(), provider: z.string().nullable() });

/** `channel`: where somebody acted on it; null if it isn't known. */
export async function recordOnIncident(
  sql: Db,
  { incidentId, channel }: { readonly incidentId: number; readonly channel: string | null },
  act: Act,
  changeOf: (incident: AuditedIncident) => Change,
): Promise<void> {
  const one = 'SELECT environment, channel, provider FROM incidents WHERE id = $1';
  const [row] = await sql.rows(IncidentRow, one, [incidentId]);
  if (row === undefined) throw new Error(`there is no incident ${incidentId}`);
  const { environment, ...incident } = row;
  await record(sql, act, { channel, environment, incidentId, change: changeOf({ number: incidentId, ...incident }) });
}

export async function record(
  sql: Db,
  { by, now }: Act,
  what: Pick<AuditEntry, 'channel' | 'environment' | 'change'> & { readonly incidentId?: number },
): Promise<void> {
  await recordEntry(sql, { at: now, actor: by, ...what, outcome: { is: 'done' }, intentId: null });
}
