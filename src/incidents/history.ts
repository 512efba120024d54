import { type SQL, sql } from 'drizzle-orm';
import type { PageQuery } from '../audit/audit.ts';
import { type FailureFilter, FILTER_NAMES } from '../judging/filter.ts';
import { Count, type Db } from '../store/db.ts';
import { isCovered, spelledFilter } from './filter-conditions.ts';
import type { IncidentNow } from './incident.ts';
import { incidentsInOrder } from './incidents-now.ts';
import { IdRow } from './lists.ts';

export interface HistoryQuery extends Omit<PageQuery, 'environments'> {
  environment: string;
  filter: FailureFilter;
  /** Only what nobody acknowledged, assigned, noted or resolved. */
  isUnseen: boolean;
}

export interface HistoryPage {
  incidents: readonly IncidentNow[];
  hasOlder: boolean;
}

const HistoryRow = IdRow.extend({ subscribers: Count });

/** Somebody acknowledged, assigned, noted or resolved an incident `i`. */
export const IS_LOOKED_AT: SQL = sql`EXISTS (
  SELECT FROM audit a
  WHERE a.incident_id = i.id
    AND a.change ->> 'action' IN ('acknowledged', 'assigned', 'noted', 'resolved'))`;

/** An environment's incidents, the newest first, with the people of all their outbreaks. */
export async function history(db: Db, query: HistoryQuery, now: Date): Promise<HistoryPage> {
  const { environment, filter, since, olderThan, limit } = query;
  const isFiltered = FILTER_NAMES.some((name) => filter[name].length > 0);
  const spelled = await spelledFilter(db, environment, filter);
  const isMatched = sql`EXISTS (SELECT FROM failures f WHERE f.incident_id = i.id AND ${isCovered(spelled)})`;
  const rows = await db.rows(
    HistoryRow,
    sql`
      SELECT
        i.id,
        CASE i.outbreak
          WHEN 1 THEN o.subscribers
          ELSE (SELECT count(DISTINCT subscriber_id) FROM failures WHERE incident_id = i.id)
        END AS subscribers
      FROM incidents i
      JOIN outbreaks o ON o.incident_id = i.id AND o.number = i.outbreak
      WHERE i.environment = ${environment}
        AND i.last_recorded_at >= ${since}
        AND i.id < ${olderThan ?? Number.MAX_SAFE_INTEGER}
        AND ${filter.verdicts.length > 0 ? sql`true` : sql`i.verdict_class = 'announced'`}
        AND ${isFiltered ? isMatched : sql`true`}
        AND ${query.isUnseen ? sql`NOT ${IS_LOOKED_AT}` : sql`true`}
      ORDER BY i.id DESC
      LIMIT ${limit + 1}`,
  );
  const people = new Map(rows.map(({ id, subscribers }) => [id, subscribers]));
  const listed = await incidentsInOrder(db, rows.slice(0, limit), now);
  return {
    incidents: listed.map((incident) => ({
      ...incident,
      subscribers: people.get(incident.id) ?? incident.subscribers,
    })),
    hasOlder: rows.length > limit,
  };
}
