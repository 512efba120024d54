import { max, subDays, subMinutes } from 'date-fns';
import { gt, isNull, or, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { gapsWhere } from '../coverage/gaps.ts';
import { gaps } from '../coverage/tables.ts';
import { lengthOf, type TimeRange } from '../lib/time/durations.ts';
import { ServiceProblem } from '../service/service-error.ts';
import { Count, type Db } from '../store/db.ts';

export interface EnvironmentHealth extends z.output<typeof HealthRow> {
  uncheckedMs: number;
  /** Given up in the last day. */
  givenUpMs: number;
}

const HealthRow = z.object({
  environment: z.string(),
  checkedTo: z.date(),
  lastSuccessAt: z.date().nullable(),
  failingSince: z.date().nullable(),
  lagMs: Count.nullable(), // of the check for new events, as it was last compared (lag.ts)
  tooSlowSince: z.date().nullable(),
  problem: ServiceProblem.nullable().catch(null),
  behindMs: Count, // of the checks for late failures
  clockAheadMs: Count.nullable(), // the service's
  unreadable: Count, // in the last day
  unreadableAlone: Count, // in 15 minutes without a readable one
  outageId: Count.nullable(),
  waiting: Count, // beyond the horizon
  nextWaitEndsAt: z.date().nullable(),
});

export async function environmentHealth(db: Db, now: Date): Promise<EnvironmentHealth[]> {
  const aDayAgo = subDays(now, 1);
  const recent = await gapsWhere(db, or(isNull(gaps.closedAt), gt(gaps.endsAt, aDayAgo)));
  return (await db.rows(HealthRow, healthSql(now))).map((row) => {
    const here = recent.filter(({ environment }) => environment === row.environment);
    const toRead = here.flatMap((gap) => (gap.closedAt === null ? gap.toRead : []));
    const givenUp = here.flatMap((gap) => gap.givenUp.map(({ from, to }) => ({ from: max([from, aDayAgo]), to })));
    return { ...row, uncheckedMs: msIn(toRead), givenUpMs: msIn(givenUp) };
  });
}

const msIn = (ranges: readonly TimeRange[]) => ranges.reduce((ms, range) => ms + Math.max(0, lengthOf(range)), 0);

const healthSql = (now: Date): SQL => sql`
  SELECT
    c.*,
    (
      SELECT max(i.id)
      FROM incidents i
      WHERE i.environment = c.environment AND i.kind = 'unreadable' AND i.state = 'firing'
    ) AS outage_id,
    (
      SELECT coalesce(sum(n.unreadable), 0)
      FROM event_counts n
      WHERE n.environment = c.environment
        AND n.workflow = ''
        AND n.minute >= ${subDays(now, 1)}
    ) AS unreadable,
    (
      SELECT CASE WHEN coalesce(sum(n.events), 0) = 0 THEN coalesce(sum(n.unreadable), 0) ELSE 0 END
      FROM event_counts n
      WHERE n.environment = c.environment AND n.minute >= ${subMinutes(now, 15)}
    ) AS unreadable_alone,
    (
      SELECT count(*)
      FROM waiting_events w
      WHERE w.environment = c.environment AND w.due_at > ${now}
    ) AS waiting,
    (
      SELECT min(w.due_at)
      FROM waiting_events w
      WHERE w.environment = c.environment AND w.due_at > ${now}
    ) AS next_wait_ends_at
  FROM environments c
  ORDER BY c.environment`;
