import { subDays, subMilliseconds } from 'date-fns';
import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { environmentOf } from '../coverage/environments.ts';
import { usualPauseMs } from '../coverage/silence.ts';
import { storableId } from '../judging/filter.ts';
import { boundedId } from '../lib/text/shown-id.ts';
import { DAY_MS, describeDuration, MINUTE_MS } from '../lib/time/durations.ts';
import { presentRead } from '../lib/time/service-clock.ts';
import { Count, type Db, onlyRow } from '../store/db.ts';
import { type Condition, endCondition, noteCondition } from './conditions.ts';
import { isCurrentOutbreak } from './incident-rows.ts';
import { incidents, outbreaks, outbreakWorkflows } from './tables.ts';

/** A workflow, or a whole environment, without an event for a while: a silence, if that is far longer than usual. */
interface Quiet {
  /** Null: the whole environment. */
  workflow: string | null;
  name: string | null;
  critical: boolean;
  since: Date;
}

const QuietRow: z.ZodType<Quiet> = z.object({
  workflow: z.string().nullable(),
  name: z.string().nullable(),
  critical: z.boolean(),
  since: z.date(),
});

/** What isn't seen for so long isn't expected any more. */
const EXPECTED_DAYS = 4;
const LEAST_SILENCE_MS = 30 * MINUTE_MS;

/** An environment is silent after so many times its longest pause. */
const TIMES_LONGEST = 2;
/** The longest pause is of so many days before. */
const USUAL_DAYS = 8;
/** With events in fewer minutes of these days, no pause of an environment is unusual. */
const FEWEST_MINUTES = 60;

/**
 * Begins and ends the incidents of silences. While an environment can't be read, nobody knows whether it is silent. `isSure`: our clock is right, as far
 * as others tell.
 */
export async function noteSilences(
  db: Db,
  environment: string,
  { now, isSure }: { now: Date; isSure: boolean },
): Promise<void> {
  const state = await environmentOf(db, environment);
  if (state === null) return;
  const { clockAheadMs, coveredFrom } = state;
  await endSilences(db, environment, { now, clockAheadMs, isSure });
  if (state.problem !== null) return;
  const until = presentRead(state, now);
  const ongoing = new Set((await ongoingSilences(db, environment)).map(({ workflow }) => workflow));
  for (const quiet of await quietIn(db, environment, until)) {
    if (ongoing.has(quiet.workflow)) continue;
    const usualMs = await usualMsIfSilent(db, environment, quiet, { until, coveredFrom });
    if (usualMs !== null)
      await db.transaction((tx) => noteCondition(tx, silenceOf(environment, quiet, usualMs, until), now));
  }
}

function silenceOf(
  environment: string,
  { workflow, name, critical, since }: Quiet,
  usualMs: number,
  until: Date,
): Condition {
  return {
    kind: 'silence',
    environment,
    workflow:
      workflow === null ? null : { identifier: boundedId(workflow), name: name === null ? null : storableId(name) },
    headline: null,
    causeText: `pauses usually end within ${describeDuration(usualMs)}`,
    causeKey: 'silence',
    critical,
    beganAt: since,
    lastAt: until,
    gapId: null,
  };
}

/** A silence that is an incident now. */
export interface Silent {
  incidentId: number;
  environment: string;
  /** Null: the whole environment. */
  workflow: string | null;
  name: string | null;
  critical: boolean;
  since: Date;
  /** 'pauses usually end within 2 min' */
  usually: string;
}

export async function silentIn(db: Db, environments: readonly string[]): Promise<readonly Silent[]> {
  const all: Silent[] = [];
  for (const environment of environments) all.push(...(await ongoingSilences(db, environment)));
  return all;
}

async function ongoingSilences(db: Db, environment: string): Promise<readonly Silent[]> {
  const isOngoing = and(
    eq(incidents.environment, environment),
    eq(incidents.kind, 'silence'),
    ne(incidents.state, 'resolved'),
  );
  const isOfOutbreak = and(
    eq(outbreakWorkflows.incidentId, incidents.id),
    eq(outbreakWorkflows.outbreak, incidents.outbreak),
  );
  const rows = await db
    .select()
    .from(incidents)
    .innerJoin(outbreaks, isCurrentOutbreak)
    .leftJoin(outbreakWorkflows, isOfOutbreak)
    .where(isOngoing)
    .orderBy(incidents.id);
  return rows.map(({ incidents: incident, outbreaks: outbreak, outbreak_workflows: silent }) => ({
    incidentId: incident.id,
    environment,
    workflow: silent?.workflow ?? null,
    name: silent?.workflowName ?? null,
    critical: silent?.critical ?? false,
    since: outbreak.beganAt,
    usually: incident.causeText,
  }));
}

const NewestRow = z.object({ newest: z.date().nullable() });

/** A silence is over with the next event; while our clock is sure, it's forgotten after days. */
async function endSilences(
  db: Db,
  environment: string,
  clock: { now: Date; clockAheadMs: number | null; isSure: boolean },
): Promise<void> {
  for (const { workflow, since } of await ongoingSilences(db, environment)) {
    const { newest } = onlyRow(
      await db.rows(
        NewestRow,
        sql`SELECT ${newestMinute(environment, workflow === null ? null : sql`${workflow}`)} AS newest`,
      ),
    );
    const isOver = newest !== null && newest > since;
    const isForgotten = clock.isSure && clock.now.getTime() - since.getTime() > EXPECTED_DAYS * DAY_MS;
    if (!isOver && !isForgotten) continue;
    const named = workflow === null ? null : { identifier: boundedId(workflow), name: null };
    const silence = { kind: 'silence', environment, workflow: named } as const;
    await db.transaction((tx) => endCondition(tx, silence, isOver ? 'recovered' : 'unconfirmed', clock));
  }
}

/** The newest minute of an environment, or of one of its workflows, that has an event. */
const newestMinute = (environment: string, workflow: SQL | null): SQL => sql`(
  SELECT max(minute)
  FROM event_counts
  WHERE environment = ${environment}
    AND events > 0
    ${workflow === null ? sql`` : sql`AND workflow = ${workflow}`}
)`;

/** The environment and its workflows without an event for a while, all of which was read. */
async function quietIn(db: Db, environment: string, until: Date): Promise<readonly Quiet[]> {
  return db.rows(
    QuietRow,
    sql`
      SELECT quiet.*
      FROM (
        SELECT NULL AS workflow, NULL AS name, true AS critical, ${newestMinute(environment, null)} AS since
        UNION ALL
        SELECT w.identifier, w.name, w.critical, ${newestMinute(environment, sql`w.identifier`)}
        FROM workflows w
        WHERE w.environment = ${environment}
          AND w.last_seen_at BETWEEN ${subDays(until, EXPECTED_DAYS)} AND ${until}
      ) quiet
      WHERE since <= ${subMilliseconds(until, LEAST_SILENCE_MS)}
        AND NOT EXISTS (
          SELECT FROM event_counts u
          WHERE u.environment = ${environment}
            AND u.minute >= since
            AND u.unreadable > 0
        )
        AND NOT EXISTS (
          SELECT FROM gaps g
          WHERE g.environment = ${environment}
            AND coalesce(g.ends_at, 'infinity') > since
            AND (g.closed_at IS NULL OR g.unchecked <> '[]')
        )
      ORDER BY critical DESC, since, workflow`,
  );
}

const UsualRow = z.object({ longestMs: Count.nullable(), minutes: Count });

/** Within which time its pauses usually end, if this one is far longer; else null. */
async function usualMsIfSilent(
  db: Db,
  environment: string,
  { workflow, since }: Quiet,
  { until, coveredFrom }: { until: Date; coveredFrom: Date },
): Promise<number | null> {
  if (workflow !== null) return usualPauseMs(db, environment, workflow, { since, until, coveredFrom });
  const usual = onlyRow(
    await db.rows(
      UsualRow,
      sql`
        SELECT extract(epoch FROM max(pause)) * 1000 AS longest_ms, count(*) AS minutes
        FROM (
          SELECT minute - lag(minute) OVER (ORDER BY minute) AS pause
          FROM event_counts
          WHERE environment = ${environment}
            AND minute BETWEEN ${subDays(since, USUAL_DAYS)} AND ${since}
            AND events > 0
          GROUP BY minute
        ) pauses`,
    ),
  );
  if (usual.longestMs === null || usual.minutes < FEWEST_MINUTES) return null;
  return until.getTime() - since.getTime() >= TIMES_LONGEST * usual.longestMs ? usual.longestMs : null;
}
