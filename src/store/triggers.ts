import { z } from 'zod';
import type { UnfinishedIntent } from '../use-cases/run-trigger.ts';
import type { TriggerStore } from '../use-cases/trigger-events.ts';
import { type Database, jsonOf } from './database.ts';

export interface Triggers extends TriggerStore {
  /** The intents claimed after `newerThan` whose end was not told, the oldest first. */
  unfinishedIntents(newerThan: Date): Promise<UnfinishedIntent[]>;
}

const UnfinishedRow = z
  .object({
    id: z.string(),
    environment: z.string(),
    actor: z.string(),
    workflow: z.string(),
    recipients: z.array(z.object({ subscriberId: z.string(), transactionId: z.string() })),
    claimed_at: z.date(),
    progress_channel: z.string().nullable(),
    progress_ts: z.string().nullable(),
  })
  .transform(
    ({ claimed_at, progress_channel: channel, progress_ts: ts, ...intent }): UnfinishedIntent => ({
      intent,
      claimedAt: claimed_at,
      message: channel === null || ts === null ? null : { channel, ts },
    }),
  );

/** What operators wanted sent. */
export function triggers(database: Database): Triggers {
  return {
    claimIntent: async (intent, now) => {
      const written = await database.write(
        `INSERT INTO trigger_intents (id, environment, actor, workflow, recipients, claimed_at)
         VALUES ($1, $2, $3, $4, $5::jsonb, $6) ON CONFLICT (id) DO NOTHING`,
        [intent.id, intent.environment, intent.actor, intent.workflow, jsonOf(intent.recipients), now],
      );
      return written > 0;
    },
    noteProgressMessage: async (intentId, { channel, ts }) => {
      await database.write('UPDATE trigger_intents SET progress_channel = $2, progress_ts = $3 WHERE id = $1', [
        intentId,
        channel,
        ts,
      ]);
    },
    closeIntent: async (intentId, now) => {
      await database.write('UPDATE trigger_intents SET closed_at = $2 WHERE id = $1', [intentId, now]);
    },
    unfinishedIntents: (newerThan) =>
      database.rows(
        UnfinishedRow,
        `SELECT id, environment, actor, workflow, recipients, claimed_at, progress_channel, progress_ts
         FROM trigger_intents WHERE closed_at IS NULL AND claimed_at > $1 ORDER BY claimed_at, id`,
        [newerThan],
      ),
  };
}
