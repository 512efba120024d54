import { z } from 'zod';
import type { KeptTrigger } from '../../domain/triggers/trigger.ts';
import type { TriggerStore } from '../../use-cases/triggers/send-trigger.ts';
import { type Database, jsonOf, type SqlValue } from '../database/database.ts';
import { rowWith } from '../database/row.ts';
import { recordEntry } from './audit.ts';

interface Triggers extends TriggerStore {
  keptTrigger(intentId: string): Promise<KeptTrigger | null>;
  unfinishedIntents(newerThan: Date): Promise<KeptTrigger[]>;
}

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

export function triggers(database: Database): Triggers {
  const change = async (assignment: string, intentId: string, value: SqlValue) => {
    await database.write(`UPDATE triggers SET ${assignment} WHERE id = $1`, [intentId, value]);
  };
  return {
    claimIntent: (intent, entry) =>
      database.withTransaction(async (sql) => {
        const written = await sql.write(
          `INSERT INTO triggers (id, environment, actor, workflow, recipients, claimed_at)
           VALUES ($1, $2, $3, $4, $5::jsonb, $6) ON CONFLICT (id) DO NOTHING`,
          [intent.id, intent.environment, intent.actor, intent.workflow, jsonOf(intent.recipients), entry.at],
        );
        return written > 0 && recordEntry(sql, entry);
      }),
    noteResults: (intentId, results) => change('results = $2::jsonb', intentId, jsonOf(results)),
    noteProgressMessage: (intentId, { channel, ts }) =>
      change('progress = $2::jsonb', intentId, jsonOf({ channel, ts })),
    closeIntent: (intentId, now) => change('closed_at = $2', intentId, now),
    keptTrigger: async (intentId) =>
      (await database.rows(TriggerRow, 'SELECT * FROM triggers WHERE id = $1', [intentId]))[0] ?? null,
    unfinishedIntents: (newerThan) => {
      const unfinished = 'SELECT * FROM triggers WHERE closed_at IS NULL AND claimed_at > $1 ORDER BY claimed_at, id';
      return database.rows(TriggerRow, unfinished, [newerThan]);
    },
  };
}
