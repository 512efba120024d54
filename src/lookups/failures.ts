import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { StoredVerdict } from '../incidents/incident.ts';
import type { FailureFilter } from '../judging/filter.ts';
import { mostSevere, type VerdictCounts } from '../judging/verdict.ts';
import type { TimeRange } from '../lib/time/durations.ts';
import { fields } from '../service/schema.ts';
import { Count, CountRow, type Db, onlyRow } from '../store/db.ts';
import { type Checked, type CheckedCtx, checkedIn } from './checked.ts';
import { type Found, failuresSql, foundIn, type Scope } from './found.ts';

export const MOST_CAUSES = 500;

const VerdictCount = z.object({ verdict: StoredVerdict, count: Count });

const CauseRow = z
  .object({
    ...fields(Count, 'incidentId', 'failures', 'subscribers'),
    ...fields(z.date(), 'firstSeen', 'lastSeen'),
    critical: z.boolean(),
    verdicts: z.array(StoredVerdict),
    transactionId: z.string(),
    ...fields(z.string().nullable(), 'eventId', 'subscriberId'),
    workflows: z.array(z.object({ name: z.string(), failures: z.number() })),
  })
  .transform(({ verdicts, eventId, transactionId, subscriberId, ...row }) => ({
    ...row,
    verdict: mostSevere(verdicts),
    example: { eventId, transactionId, subscriberId },
  }));

export type FoundCause = z.output<typeof CauseRow>;

interface Failures {
  causes: readonly FoundCause[];
  counts: VerdictCounts;
  failedEvents: number;
}

export interface FailuresFound extends Checked, Failures {}

export async function findFailures(ctx: CheckedCtx, range: TimeRange, filter: FailureFilter): Promise<FailuresFound> {
  const { checked, scope } = await checkedIn(ctx, range);
  return { ...checked, ...(await failuresIn(ctx.db, ctx.environment.name, scope, filter)) };
}

export async function failuresIn(db: Db, environment: string, scope: Scope, filter: FailureFilter): Promise<Failures> {
  const found = await foundIn(db, environment, scope, filter);
  const causes = await db.rows(CauseRow, causesSql(found));
  const verdicts = await db.rows(
    VerdictCount,
    sql`SELECT f.verdict, count(*) FROM ${failuresSql(found)} GROUP BY f.verdict`,
  );
  const counts: VerdictCounts = Object.fromEntries(verdicts.map(({ verdict, count }) => [verdict, count]));
  const failedEvents = sql`
    SELECT count(DISTINCT f.event_key)
    FROM ${failuresSql(found)}
      AND i.verdict_class = 'announced'`;
  return { causes, counts, failedEvents: onlyRow(await db.rows(CountRow, failedEvents)).count };
}

/** Verdicts that aren't announced are listed only if they are asked for. */
export const isListed = ({ filter }: Found): SQL =>
  filter.verdicts.length > 0 ? sql`true` : sql`i.verdict_class = 'announced'`;

/** Causes that still fail come first: resolved ones have no position in the list, which is sorted last. */
const causesSql = (found: Found): SQL => sql`
  WITH found AS (
    SELECT i.key, f.*
    FROM ${failuresSql(found)}
      AND ${isListed(found)}
  ),
  causes AS (
    SELECT
      key,
      max(incident_id) AS incident_id,
      count(*) AS failures,
      count(DISTINCT subscriber_id) AS subscribers,
      min(occurred_at) AS first_seen,
      max(occurred_at) AS last_seen,
      array_agg(DISTINCT verdict) AS verdicts,
      bool_or(critical) AS critical,
      max(seq) AS newest
    FROM found
    GROUP BY key
  ),
  workflows AS (
    SELECT key, jsonb_agg(jsonb_build_object('name', name, 'failures', failures) ORDER BY failures DESC, name) AS workflows
    FROM (
      SELECT key, coalesce(workflow, 'deleted workflow') AS name, count(*) AS failures
      FROM found
      GROUP BY 1, 2
    ) named
    GROUP BY key
  )
  SELECT c.*, w.workflows, newest.event_id, newest.transaction_id, newest.subscriber_id
  FROM causes c
  JOIN workflows w USING (key)
  JOIN incidents i ON i.id = c.incident_id
  JOIN failures newest ON newest.seq = c.newest
  ORDER BY
    array_position(ARRAY['firing', 'recovering', 'unconfirmed'], i.state),
    i.is_test,
    c.critical DESC,
    c.failures DESC,
    c.key
  LIMIT ${MOST_CAUSES}`;
