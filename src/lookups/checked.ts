import { addMilliseconds, max, min, subMilliseconds } from 'date-fns';
import { type SQL, sql } from 'drizzle-orm';
import { countedIn } from '../coverage/minutes.ts';
import { ongoingCondition } from '../incidents/conditions.ts';
import { isCovered, type SpelledFilter, spelledFilter } from '../incidents/filter-conditions.ts';
import type { IncidentNow } from '../incidents/incident.ts';
import { incidentNow } from '../incidents/lists.ts';
import type { FailureFilter, FilterName } from '../judging/filter.ts';
import type { Environment } from '../lib/environment.ts';
import { ServiceError } from '../lib/errors.ts';
import { MINUTE_MS, minuteOf, type TimeRange } from '../lib/time/durations.ts';
import { CLOCK_TOLERANCE_MS } from '../lib/time/service-clock.ts';
import type { CheckNow } from '../polling/check-now.ts';
import { type Db, textList } from '../store/db.ts';
import { type CoveredRange, coverageIn, movedBy } from './coverage.ts';

export interface CheckedCtx {
  environment: Environment;
  db: Db;
  checkNow: CheckNow;
  now: () => Date;
}

interface EventsChecked {
  eventsChecked: number;
  unreadable: number;
}

/** What an answer about a range covers. */
export interface Checked extends EventsChecked, Pick<CoveredRange, 'read' | 'since' | 'givenUp'> {
  environment: Environment;
  range: TimeRange;
  /** The last successful check is `asOf`, and `isCurrent` if it began after the question. */
  freshness: { asOf: Date | null; isCurrent: boolean };
  unchecked: readonly TimeRange[];
  trouble: ServiceError | null;
  outage: IncidentNow | null;
}

/** Both are by the service's clock. */
export interface Scope {
  range: TimeRange;
  coverage: TimeRange;
}

const JUST_NOW_MS = 500;

export async function checkedIn(
  { environment, db, checkNow, now }: CheckedCtx,
  range: TimeRange,
): Promise<{ checked: Checked; scope: Scope; lagMs: number }> {
  const askedAt = now();
  const { outcome, problem } = await checkNow(environment.name);
  const { coverage, read, since, toRead, givenUp, after } = await coverageIn(db, environment.name, range);
  const lagMs = coverage?.lagMs ?? 0;
  const emptyRange = { from: range.to, to: range.from };
  const isPast = range.to < subMilliseconds(askedAt, JUST_NOW_MS);
  const scope = {
    range: movedBy(-lagMs, { ...range, to: isPast ? range.to : addMilliseconds(askedAt, CLOCK_TOLERANCE_MS) }),
    coverage: (read.from < read.to && coverage) || emptyRange,
  };
  const outage = await ongoingCondition(db, { kind: 'unreadable', environment: environment.name, workflow: null });
  const checked = {
    environment,
    range,
    read,
    since,
    givenUp,
    freshness: { asOf: coverage?.checkedAt ?? null, isCurrent: outcome === 'checked' },
    unchecked: [...toRead, ...(after.from < after.to ? [after] : [])],
    trouble: problem && new ServiceError(environment.name, 'listEvents', problem),
    ...(await eventsIn(db, environment.name, scope)),
    outage: outage && outage.firstAt < scope.range.to ? await incidentNow(db, outage.id, askedAt) : null,
  };
  return { checked, scope, lagMs };
}

export const reachesNow = ({ to }: TimeRange, now: Date): boolean => now.getTime() - to.getTime() <= MINUTE_MS;

export async function eventsIn(db: Db, environment: string, { range, coverage }: Scope): Promise<EventsChecked> {
  // The minute of the end is included.
  const to = addMilliseconds(min([range.to, coverage.to]), 1);
  const from = minuteOf(max([range.from, coverage.from]));
  const { events: eventsChecked, unreadable } = await countedIn(db, environment, { from, to });
  return { eventsChecked, unreadable };
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

/** Counts `s` of deliveries, split by domain also where a domain is looked for: '' has those of no domain that is stored. */
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

/** The columns by which deliveries are counted `s`. */
const COUNTED_BY = {
  workflows: sql`s.workflow`,
  channels: sql`s.channel`,
  providers: sql`s.provider`,
  domains: sql`s.domain`,
} satisfies { [Name in FilterName]?: SQL };

export const COUNTED_NAMES = Object.keys(COUNTED_BY) as readonly (keyof typeof COUNTED_BY)[];

/** Whether a count `s` of deliveries is of what is looked for. */
export function isCounted({ environment, filter }: Pick<Found, 'environment' | 'filter'>): SQL {
  const conditions = COUNTED_NAMES.filter((name) => filter[name].length > 0).map(
    (name) => sql`${COUNTED_BY[name]} IN ${textList(filter[name])}`,
  );
  return sql.join([sql`s.environment = ${environment}`, ...conditions], sql` AND `);
}
