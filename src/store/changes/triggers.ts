import { z } from 'zod';
import type { KeptTrigger } from '../../domain/triggers/trigger.ts';
import type { TriggerStore } from '../../use-cases/triggers/send-trigger.ts';
import { type Database, jsonOf } from '../database/database.ts';
import { recordEntry } from './audit.ts';

export interface Triggers extends TriggerStore {
  keptTrigger(intentId: string): Promise<KeptTrigger | null>;
  unfinishedIntents(newerThan: Date): Promise<KeptTrigger[]>;
}

const Result = z.object({
  acknowledged: z.boolean(),
  status: z.string(),
  errors: z.array(z.string()),
  transactionId: z.string().nullable(),
});

const TriggerRow = z
  .object({
    id: z.string(),
    environment: z.string(),
    actor: z.string(),
    workflow: z.string(),
    recipients: z.array(z.object({ subscriberId: z.string(), transactionId: z.string() })),
    results: z.array(Result).nullable(),
    claimed_at: z.date(),
    channel: z.string().nullable(),
    ts: z.string().nullable(),
  })
  .transform(({ claimed_at: claimedAt, results, channel, ts, ...intent }): KeptTrigger => {
    const message = channel === null || ts === null ? null : { channel, ts };
    return { intent, claimedAt, results, message };
  });

const COLUMNS =
  'id, environment, actor, workflow, recipients, results, claimed_at, progress_channel AS channel, progress_ts AS ts';

export function triggers(database: Database): Triggers {
  return {
    claimIntent: (intent, entry) =>
      database.withTransaction(async (sql) => {
        const written = await sql.write(
          `INSERT INTO trigger_intents (id, environment, actor, workflow, recipients, claimed_at)
           VALUES ($1, $2, $3, $4, $5::jsonb, $6) ON CONFLICT (id) DO NOTHING`,
          [intent.id, intent.environment, intent.actor, intent.workflow, jsonOf(intent.recipients), entry.at],
        );
        return written > 0 && recordEntry(sql, entry);
      }),
    noteResults: async (intentId, results) => {
      await database.write('UPDATE trigger_intents SET results = $2::jsonb WHERE id = $1', [intentId, jsonOf(results)]);
    },
    noteProgressMessage: async (intentId, { channel, ts }) => {
      const update = 'UPDATE trigger_intents SET progress_channel = $2, progress_ts = $3 WHERE id = $1';
      await database.write(update, [intentId, channel, ts]);
    },
    closeIntent: async (intentId, now) => {
      await database.write('UPDATE trigger_intents SET closed_at = $2 WHERE id = $1', [intentId, now]);
    },
    keptTrigger: async (intentId) => {
      const query = `SELECT ${COLUMNS} FROM trigger_intents WHERE id = $1`;
      return (await database.rows(TriggerRow, query, [intentId]))[0] ?? null;
    },
    unfinishedIntents: (newerThan) =>
      database.rows(
        TriggerRow,
        `SELECT ${COLUMNS} FROM trigger_intents WHERE closed_at IS NULL AND claimed_at > $1 ORDER BY claimed_at, id`,
        [newerThan],
      ),
  };
}
