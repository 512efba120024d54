import { z } from 'zod';
import type { AuditEntry } from '../../domain/access/audit.ts';
import type { ChangeRecord } from '../../use-cases/access/record-change.ts';
import type { AuditTrail } from '../../use-cases/access/show-audit.ts';
import { type Database, jsonOf, type SqlRows } from '../database/database.ts';
import { PROBLEM_KINDS } from '../database/problems.ts';
import { Count, CountRow, rowWith } from '../database/row.ts';

/** Records and lists who changed what. */
export type Audit = ChangeRecord & AuditTrail;

export function audit(database: Database): Audit {
  return {
    recordChange: (entry) => recordEntry(database, entry),
    settleChange: async (intentId, outcome) => {
      await database.write(SETTLE, [jsonOf(outcome), intentId]);
    },
    auditEntries: async ({ since, environments, olderThan, limit }) => {
      const values = [since, jsonOf(environments), olderThan, limit + 1];
      const found = await database.rows(NumberedRow, `${ENTRIES} ORDER BY seq DESC LIMIT $4`, values);
      return { entries: found.slice(0, limit), hasOlder: found.length > limit };
    },
  };
}

/** Records an entry in the transaction of `sql`, with what it is about. Returns false and writes nothing if its intent already has one. */
export async function recordEntry(sql: SqlRows, entry: AuditEntry): Promise<boolean> {
  const { at, actor, channel, environment, change, outcome, intentId } = entry;
  const values = [at, actor, channel, environment, jsonOf(change), jsonOf(outcome), intentId];
  const [written] = await sql.rows(CountRow, RECORD, values);
  return written !== undefined && written.count > 0;
}

/** A change in progress isn't posted yet; after this long nothing will report its outcome. */
const WAIT_FOR_OUTCOME_MS = 5 * 60_000;

/** An entry, and the message to the audit channel if there is one. */
const RECORD = `
  WITH entry AS (
    INSERT INTO audit_entries (id, at, actor, channel, environment, change, outcome, intent_id)
    VALUES (gen_random_uuid()::text, $1, $2, $3, $4, $5::jsonb, $6::jsonb, $7) ON CONFLICT (intent_id) DO NOTHING
    RETURNING id, at, outcome
  ), mirrored AS (
    INSERT INTO messages (entry_id, kind, recipient, created_at, covered_from, covered_to, retry_at)
    SELECT entry.id, 'audit', mirror.channel, entry.at, entry.at, entry.at,
      CASE WHEN entry.outcome ->> 'is' = 'begun' THEN entry.at + interval '${WAIT_FOR_OUTCOME_MS} milliseconds' END
    FROM entry CROSS JOIN audit_mirror mirror
  )
  SELECT count(*) FROM entry`;

/**
 * Settles the entries that `where` finds; $1 is their outcome. A message that waited for the outcome is posted at once, and one that may
 * show the earlier state is redrawn.
 */
export function settling(where: string): string {
  return `
  WITH settled AS (UPDATE audit_entries SET outcome = $1::jsonb WHERE ${where} RETURNING id)
  UPDATE messages SET retry_at = CASE WHEN attempt > 0 THEN retry_at END,
    redraw_at = CASE WHEN state <> 'waiting' OR unresolved_since IS NOT NULL THEN '-infinity'::timestamptz END
  FROM settled WHERE entry_id = settled.id`;
}

const SETTLE = settling(`intent_id = $2 AND outcome ->> 'is' IN ('begun', 'unknown')`);

const ENTRIES = `
  SELECT * FROM audit_entries
  WHERE at >= $1 AND ($2::jsonb = '[]' OR $2::jsonb ? environment) AND ($3::bigint IS NULL OR seq < $3)`;

const StoredGroup = z.object({
  workflow: z.string().nullable(),
  channel: z.string(),
  provider: z.string().nullable(),
  cause: z.string(),
});

const until = z.coerce.date();
const watch = z.string();

const StoredChange = z.discriminatedUnion('action', [
  z.object({ action: z.literal('trigger'), workflow: z.string(), recipients: z.number() }),
  z.object({ action: z.literal('credentials'), subscriberId: z.string(), provider: z.string() }),
  z.object({ action: z.enum(['watch-made', 'watch-changed', 'watch-ended']), watch }),
  z.object({ action: z.literal('watch-muted'), watch, until }),
  z.object({ action: z.literal('watch-unmuted'), watch }),
  z.object({ action: z.literal('incident-muted'), group: StoredGroup, until }),
  z.object({ action: z.literal('assigned'), group: StoredGroup, to: z.string() }),
  z.object({
    action: z.enum(['incident-unmuted', 'acknowledged', 'unacknowledged', 'resolved', 'noted']),
    group: StoredGroup,
  }),
  z.object({ action: z.literal('deployed') }),
  z.object({ action: z.literal('channel-environment'), to: z.string().nullable() }),
]);

const StoredOutcome = z.discriminatedUnion('is', [
  z.object({ is: z.enum(['begun', 'done', 'unknown']) }),
  z.object({ is: z.literal('sent'), accepted: z.number(), refused: z.number() }),
  z.object({
    is: z.literal('refused'),
    why: z.enum([...PROBLEM_KINDS, 'not-found']),
  }),
]);

const ENTRY = {
  at: z.date(),
  actor: z.string(),
  channel: z.string().nullable(),
  environment: z.string().nullable(),
  change: StoredChange,
  outcome: StoredOutcome,
  intentId: z.string().nullable(),
};

export const EntryRow = rowWith(ENTRY);

const NumberedRow = rowWith({ ...ENTRY, seq: Count }).transform(({ seq: number, ...entry }) => ({ ...entry, number }));
