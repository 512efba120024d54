import { z } from 'zod';
import { recordEntry } from '../audit/audit.ts';
import type { AuditEntry } from '../domain/access/audit.ts';
import type { TriggerResult } from '../domain/service/query.ts';
import type { Db, SqlValue } from '../store/db.ts';
import { rowWith } from '../store/row.ts';
import { jsonOf } from '../store/values.ts';
import type { KeptTrigger, ProgressMessage, TriggerIntent } from './follow.ts';

const Result = z.object({
  acknowledged: z.boolean(),
  status: z.string(),
  errors: z.array(z.string()),
  transactionId: z.string().nullable(),
});

const TriggerRow = rowWith({
  id: z.string(),
  environment: z.string(),
  actor: z.string(),
  workflow: z.string(),
  recipients: z.array(z.object({ subscriberId: z.string(), transactionId: z.string() })),
  results: z.array(Result).nullable(),
  claimedAt: z.date(),
  progress: z.object({ channel: z.string(), ts: z.string() }).nullable(),
}).transform(
  ({ claimedAt, results, progress: message, ...intent }): KeptTrigger => ({ intent, claimedAt, results, message }),
);

export function triggers(database: Db) {
  const change = async (assignment: string, intentId: string, value: SqlValue) => {
    await database.write(`UPDATE triggers SET ${assignment} WHERE id = $1`, [intentId, value]);
  };
  return {
    /** Records an intent before anything is sent, with its audit entry. Returns false, writing nothing, if it's there. */
    claimIntent: (intent: TriggerIntent, entry: AuditEntry): Promise<boolean> =>
      database.transaction(async (sql) => {
        const written = await sql.write(
          `INSERT INTO triggers (id, environment, actor, workflow, recipients, claimed_at)
           VALUES ($1, $2, $3, $4, $5::jsonb, $6) ON CONFLICT (id) DO NOTHING`,
          [intent.id, intent.environment, intent.actor, intent.workflow, jsonOf(intent.recipients), entry.at],
        );
        return written > 0 && recordEntry(sql, entry);
      }),
    noteResults: (intentId: string, results: readonly TriggerResult[]) =>
      change('results = $2::jsonb', intentId, jsonOf(results)),
    noteProgressMessage: (intentId: string, { channel, ts }: ProgressMessage) =>
      change('progress = $2::jsonb', intentId, jsonOf({ channel, ts })),
    closeIntent: (intentId: string, now: Date) => change('closed_at = $2', intentId, now),
    keptTrigger: async (intentId: string): Promise<KeptTrigger | null> =>
      (await database.rows(TriggerRow, 'SELECT * FROM triggers WHERE id = $1', [intentId]))[0] ?? null,
    unfinishedIntents: (newerThan: Date): Promise<KeptTrigger[]> => {
      const unfinished = 'SELECT * FROM triggers WHERE closed_at IS NULL AND claimed_at > $1 ORDER BY claimed_at, id';
      return database.rows(TriggerRow, unfinished, [newerThan]);
    },
  };
}
