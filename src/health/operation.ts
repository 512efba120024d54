import { z } from 'zod';
import { backlogOf, blockedChannels, editRefusals } from '../digests/outbox.ts';
import type { Db } from '../store/db.ts';
import { getValue, putValue } from '../store/kv.ts';
import { CountRow } from '../store/row.ts';
import type { DoctorCtx } from './doctor.ts';
import type { HeartbeatParts, LastHeartbeat } from './heartbeat.ts';

type Operation = Pick<
  DoctorCtx['store'],
  'backlog' | 'blockedChannels' | 'editRefusals' | 'replicas' | 'lastHeartbeat'
> &
  Pick<HeartbeatParts['store'], 'noteHeartbeat'>;

export function operation(database: Db): Operation {
  return {
    backlog: () => backlogOf(database, null),
    blockedChannels: () => blockedChannels(database),
    editRefusals: () => editRefusals(database),
    replicas: async () => Math.max(1, (await database.rows(CountRow, REPLICAS))[0]?.count ?? 0),
    lastHeartbeat: () => getValue(database, LAST_HEARTBEAT, StoredHeartbeat),
    noteHeartbeat: ({ outcome, why, at }) => putValue(database, LAST_HEARTBEAT, { outcome, why, at }),
  };
}

const LAST_HEARTBEAT = 'last-heartbeat';

const StoredHeartbeat = z.object({
  outcome: z.enum(['answered', 'failed', 'withheld']),
  why: z.string().nullable(),
  at: z.coerce.date(),
}) satisfies z.ZodType<LastHeartbeat>;

/** Each process uses its own connection name (server.ts); the embedded database has only one process. */
const REPLICAS = `
  SELECT count(DISTINCT application_name) AS count FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE 'notif-%'`;
