import { z } from 'zod';
import type { ServiceProblem } from '../lib/errors.ts';
import { Count, type Db } from '../store/db.ts';

export type EnvironmentHealth = z.output<typeof HealthRow>;

const HealthRow = z.object({
  environment: z.string(),
  checkedTo: z.date(),
  lastSuccessAt: z.date().nullable(),
  failingSince: z.date().nullable(),
  problem: z.custom<ServiceProblem>().nullable(),
  behindMs: Count,
  clockAheadMs: Count.nullable(),
  uncheckedMs: Count,
  unreadable: Count,
  unreadableAlone: Count,
  notRecoveredMs: Count,
  outageId: Count.nullable(),
});

export const environmentHealth = (db: Db, now: Date): Promise<EnvironmentHealth[]> => db.rows(HealthRow, HEALTH, [now]);

export const GAP_WINDOWS =
  'jsonb_to_recordset(g.unchecked) AS u ("from" timestamptz, "to" timestamptz, tries integer, "nextTryAt" timestamptz)';

const msOf = (length: string, condition: string): string =>
  `coalesce(round(extract(epoch FROM sum(${length}) FILTER (WHERE ${condition})) * 1000), 0)`;

const A_DAY_AGO = "$1::timestamptz - interval '1 day'";

const HEALTH = `
  SELECT c.*, (SELECT max(i.id) FROM incidents i WHERE i.environment = c.environment AND i.gap_id IS NOT NULL AND i.state = 'firing') AS outage_id,
    windows.unchecked_ms, windows.not_recovered_ms,
    (
      SELECT coalesce(sum(n.unreadable), 0) FROM event_counts n
      WHERE n.environment = c.environment AND n.workflow = '' AND n.minute >= ${A_DAY_AGO}
    ) AS unreadable,
    (
      SELECT CASE WHEN coalesce(sum(n.events), 0) = 0 THEN coalesce(sum(n.unreadable), 0) ELSE 0 END FROM event_counts n
      WHERE n.environment = c.environment AND n.minute >= $1::timestamptz - interval '15 minutes'
    ) AS unreadable_alone
  FROM environments c
  CROSS JOIN LATERAL (
    SELECT
      ${msOf('u."to" - u."from"', 'g.closed_at IS NULL AND u."nextTryAt" IS NOT NULL')} AS unchecked_ms,
      ${msOf(`u."to" - GREATEST(u."from", ${A_DAY_AGO})`, `u."nextTryAt" IS NULL AND u."to" > ${A_DAY_AGO}`)} AS not_recovered_ms
    FROM gaps g CROSS JOIN LATERAL ${GAP_WINDOWS}
    WHERE g.environment = c.environment
  ) windows
  ORDER BY c.environment`;
