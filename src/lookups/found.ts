import { type SQL, sql } from 'drizzle-orm';
import { isCovered, type SpelledFilter, spelledFilter } from '../incidents/filter-conditions.ts';
import type { FailureFilter, FilterName } from '../judging/filter.ts';
import type { TimeRange } from '../lib/time/durations.ts';
import { type Db, textList } from '../store/db.ts';

/** The columns by which deliveries are counted. */
const COUNTED_BY = {
  workflows: sql`s.workflow`,
  channels: sql`s.channel`,
  providers: sql`s.provider`,
  domains: sql`s.domain`,
} satisfies { [Name in FilterName]?: SQL };

export const COUNTED_NAMES = Object.keys(COUNTED_BY) as readonly (keyof typeof COUNTED_BY)[];

/** Which times a question is about, and what of them was checked. Both are by the service's clock. */
export interface Scope {
  range: TimeRange;
  coverage: TimeRange;
}

/** What is looked for, with the filter's names in all spellings. */
export interface Found extends Scope {
  environment: string;
  filter: SpelledFilter;
}

export async function foundIn(db: Db, environment: string, scope: Scope, filter: FailureFilter): Promise<Found> {
  return { environment, ...scope, filter: await spelledFilter(db, environment, filter) };
}

/** Failures `f` with their incidents `i`. */
export const failuresSql = ({ environment, range, coverage, filter }: Found): SQL => sql`
  failures f
  JOIN incidents i ON i.id = f.incident_id
  WHERE f.environment = ${environment}
    AND f.occurred_at BETWEEN ${range.from} AND ${range.to}
    AND ${isCovered(filter)}
    AND f.event_created_at BETWEEN ${coverage.from} AND ${coverage.to}`;

export const fromMinute = ({ range }: Pick<Found, 'range'>): SQL =>
  sql`date_trunc('minute', ${range.from}::timestamptz, 'UTC')`;

/**
 * Counts `s` of deliveries. They have a domain if they are to be split by it, or one is looked for: '' is that of deliveries
 * whose domain isn't stored.
 */
export function deliveriesSql({ filter }: Pick<Found, 'filter'>, isSplit: boolean): SQL {
  if (!isSplit && filter.domains.length === 0) return sql`success_counts s`;
  return sql`(
    SELECT c.environment, c.workflow, c.channel, c.provider, c.minute, c.last_at, d.domain, d.successes
    FROM success_counts c,
      LATERAL (
        SELECT key AS domain, value::integer AS successes
        FROM jsonb_each_text(c.domains)
        UNION ALL
        SELECT '', c.successes - coalesce((SELECT sum(value::integer) FROM jsonb_each_text(c.domains)), 0)
      ) d
    WHERE d.successes > 0
  ) s`;
}

/** Whether a count `s` of deliveries is of what is looked for. */
export function isCounted({ environment, filter }: Pick<Found, 'environment' | 'filter'>): SQL {
  const conditions = COUNTED_NAMES.filter((name) => filter[name].length > 0).map(
    (name) => sql`${COUNTED_BY[name]} IN ${textList(filter[name])}`,
  );
  return sql.join([sql`s.environment = ${environment}`, ...conditions], sql` AND `);
}
