import { addMilliseconds, subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { EPISODE_MS } from '../../domain/incidents/episode.ts';
import { LATELY_MS, type Lately, TREND_LENGTH, TREND_STEP_MS } from '../../domain/incidents/incident-now.ts';
import { MINUTE_MS, minuteOf } from '../../domain/time/durations.ts';
import { jsonOf, type SqlRows } from '../database/database.ts';
import { Count } from '../database/row.ts';

export interface IncidentPlace {
  readonly environment: string;
  readonly channel: string;
  readonly provider: string | null;
}

export interface LatelyAsked {
  readonly place: IncidentPlace;
  readonly groupKeys: readonly string[];
  /** Whether the attempts are those of the groups: all of the incident's, of failures that are alerted. Warnings are no failed attempts. */
  readonly countsAttempts: boolean;
  readonly to: Date;
  /** The failures by minute that count, if not all of the groups' do; else null. */
  readonly ownMinutes: ReadonlyMap<number, number> | null;
}

const StretchRow = z.object({ index: z.number(), age: Count, failures: Count });
const AttemptsRow = z.object({ index: z.number(), attempts: Count, last_at: z.date().nullable() });

/** Returns the recent counts of some incidents, in the order asked for; by whole minutes, since failures are counted that way. */
export async function latelyOf(sql: SqlRows, asked: readonly LatelyAsked[]): Promise<readonly Lately[]> {
  const questions = asked.map(questionOf);
  const values = [jsonOf(questions)];
  const trends = questions.map(() => Array.from({ length: TREND_LENGTH }, () => 0));
  for (const { index, age, failures } of await sql.rows(StretchRow, STRETCHES, values)) {
    trends[index]?.splice(TREND_LENGTH - 1 - age, 1, failures);
  }
  const sums = new Map((await sql.rows(AttemptsRow, ATTEMPTS, values)).map((row) => [row.index, row]));
  return questions.map(({ from, to, end }, index) => {
    const own = asked[index]?.ownMinutes;
    const trend = (own && trendOf(own, to, end)) ?? trends[index] ?? [];
    const sum = sums.get(index);
    return {
      window: { from, to },
      failures: trend.at(-1) ?? 0,
      attempts: asked[index]?.countsAttempts ? (sum?.attempts ?? 0) : null,
      lastSuccessAt: sum?.last_at ?? null,
      trend,
    };
  });
}

/** Returns what `STRETCHES` does, of some minutes, the oldest stretch first. */
function trendOf(minutes: ReadonlyMap<number, number>, to: Date, end: Date): readonly number[] {
  const trend = Array.from({ length: TREND_LENGTH }, () => 0);
  for (const [minute, failures] of minutes) {
    const place = TREND_LENGTH - 1 - Math.floor((end.getTime() - 1 - minute) / TREND_STEP_MS);
    if (place >= 0 && minute <= to.getTime()) trend[place] = (trend[place] ?? 0) + failures;
  }
  return trend;
}

function questionOf({ place, groupKeys, to }: LatelyAsked, index: number) {
  const end = addMilliseconds(minuteOf(to), MINUTE_MS);
  const before = (ms: number) => subMilliseconds(end, ms);
  return {
    ...{ index, groupKeys, to, end },
    ...{ environment: place.environment, channel: place.channel, provider: place.provider ?? '' },
    from: before(LATELY_MS),
    trendFrom: before(TREND_LENGTH * TREND_STEP_MS),
    dayAgo: subMilliseconds(to, EPISODE_MS),
  };
}

const ASKED = `
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS one (index integer, "groupKeys" jsonb, environment text, channel text, provider text,
    "from" timestamptz, "trendFrom" timestamptz, "to" timestamptz, "end" timestamptz, "dayAgo" timestamptz)`;

/** Five-minute stretches by age: 0 is the last, which also gives the five minutes of `Lately`. */
const STRETCHES = `
  SELECT asked.index, stretch.age, stretch.failures FROM (${ASKED}) asked CROSS JOIN LATERAL (
    SELECT floor(extract(epoch FROM asked."end" - interval '1 second' - minute) * 1000 / ${TREND_STEP_MS}) AS age, sum(failures) AS failures
    FROM group_counts
    WHERE group_key IN (SELECT jsonb_array_elements_text(asked."groupKeys")) AND minute >= asked."trendFrom" AND minute <= asked."to"
    GROUP BY 1
  ) stretch`;

const ATTEMPTS = `
  SELECT asked.index, coalesce((
      SELECT sum(n.failures) FROM groups g JOIN group_counts n ON n.group_key = g.key
      WHERE g.environment = asked.environment AND g.channel = asked.channel AND coalesce(g.provider, '') = asked.provider
        AND g.announcement = 'announced' AND n.minute >= asked."from" AND n.minute <= asked."to"
    ), 0) + coalesce((
      SELECT sum(successes) FROM success_counts s
      WHERE s.environment = asked.environment AND s.channel = asked.channel AND s.provider = asked.provider
        AND minute >= asked."from" AND minute <= asked."to"
    ), 0) AS attempts,
    (SELECT max(last_at) FROM success_counts s
     WHERE s.environment = asked.environment AND s.channel = asked.channel AND s.provider = asked.provider
       AND minute > asked."dayAgo" AND minute <= asked."to") AS last_at
  FROM (${ASKED}) asked`;
