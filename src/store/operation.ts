import { z } from 'zod';
import type { LastHeartbeat } from '../domain/health/heartbeat-report.ts';
import type { ExamineRunningParts } from '../use-cases/health/examine-running.ts';
import type { ExamineSettingsParts } from '../use-cases/health/examine-settings.ts';
import type { HeartbeatStore } from '../use-cases/health/send-heartbeat.ts';
import type { Database } from './database/database.ts';
import { NEWEST_MIGRATION } from './database/migrate.ts';
import { Count, CountRow } from './database/row.ts';
import { backlogOf, blockedChannels } from './deliveries/backlog.ts';

type Operation = Pick<ExamineRunningParts['store'], 'backlog' | 'blockedChannels' | 'replicas' | 'databaseFacts'> &
  Pick<HeartbeatStore, 'noteHeartbeat'> &
  ExamineSettingsParts['store'];

/** What the people who run Notif can ask its store. */
export function operation(database: Database): Operation {
  return {
    backlog: () => backlogOf(database, null),
    blockedChannels: () => blockedChannels(database),
    replicas: async () => Math.max(1, (await database.rows(CountRow, REPLICAS))[0]?.count ?? 0),
    databaseFacts: async () => {
      const [facts] = await database.rows(FactsRow, FACTS);
      if (facts === undefined) throw new Error('the database said nothing of itself');
      return { ...facts, knownMigration: NEWEST_MIGRATION };
    },
    lastHeartbeat: async () =>
      (await database.rows(HeartbeatRow, 'SELECT outcome, why, at FROM heartbeats'))[0] ?? null,
    noteHeartbeat: async ({ outcome, why, at }) => {
      await database.write(NOTE_HEARTBEAT, [outcome, why, at]);
    },
  };
}

const HeartbeatRow = z.object({
  outcome: z.enum(['answered', 'failed', 'withheld']),
  why: z.string().nullable(),
  at: z.date(),
}) satisfies z.ZodType<LastHeartbeat>;

const NOTE_HEARTBEAT = `
  INSERT INTO heartbeats (outcome, why, at) VALUES ($1, $2, $3)
  ON CONFLICT (is_only) DO UPDATE SET outcome = EXCLUDED.outcome, why = EXCLUDED.why, at = EXCLUDED.at`;

const FactsRow = z.object({ bytes: Count, migration: Count });

const FACTS = `
  SELECT pg_database_size(current_database()) AS bytes, (SELECT max(version) FROM migrations) AS migration`;

/** Each process uses its own connection name (server.ts); the embedded database has only one process. */
const REPLICAS = `
  SELECT count(DISTINCT application_name) AS count FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE 'notif-%'`;
