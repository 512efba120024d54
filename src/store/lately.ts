import { z } from 'zod';
import { LATELY_MS, type Lately, TREND_LENGTH, TREND_STEP_MS } from '../domain/delivery.ts';
import { EPISODE_MS } from '../domain/episode.ts';
import { jsonOf, type Sql } from './database.ts';
import { Count } from './row.ts';

/** Where an incident is. */
interface Place {
  readonly environment: string;
  readonly channel: string;
  readonly provider: string | null;
}

const MINUTE_MS = 60_000;

const StretchRow = z.object({ age: Count, failures: Count });
const AttemptsRow = z.object({ attempts: Count, last_at: z.date().nullable() });

/** How some groups of an incident do up to `to`, all of them where `isWhole`: by whole minutes, since that is how failures are counted. */
export async function latelyOf(
  sql: Pick<Sql, 'rows'>,
  { environment, channel, provider }: Place,
  { groupKeys, isWhole }: { readonly groupKeys: readonly string[]; readonly isWhole: boolean },
  to: Date,
): Promise<Lately> {
  const lastMinute = Math.floor(to.getTime() / MINUTE_MS) * MINUTE_MS;
  const from = new Date(lastMinute + MINUTE_MS - LATELY_MS);
  const trendFrom = new Date(lastMinute + MINUTE_MS - TREND_LENGTH * TREND_STEP_MS);
  const asked = [jsonOf(groupKeys), trendFrom, to, new Date(lastMinute + MINUTE_MS)];
  const stretches = await sql.rows(StretchRow, STRETCHES, asked);
  const trend = Array.from({ length: TREND_LENGTH }, () => 0);
  for (const { age, failures } of stretches) trend[TREND_LENGTH - 1 - age] = failures;
  const dayAgo = new Date(to.getTime() - EPISODE_MS);
  const [sum] = await sql.rows(AttemptsRow, ATTEMPTS, [environment, channel, provider ?? '', from, to, dayAgo]);
  return {
    window: { from, to },
    failures: trend[TREND_LENGTH - 1] ?? 0,
    attempts: isWhole ? (sum?.attempts ?? 0) : null,
    lastSuccessAt: sum?.last_at ?? null,
    trend,
  };
}

/** Stretches by their age: 0 is the last one, which is also the five minutes of `Lately`. */
const STRETCHES = `
  SELECT floor(extract(epoch FROM $4::timestamptz - interval '1 second' - minute) * 1000 / ${TREND_STEP_MS}) AS age, sum(failures) AS failures
  FROM group_counts
  WHERE group_key IN (SELECT jsonb_array_elements_text($1::jsonb)) AND minute >= $2 AND minute <= $3 GROUP BY 1`;

const ATTEMPTS = `
  SELECT coalesce((
      SELECT sum(n.failures) FROM groups g JOIN group_counts n ON n.group_key = g.key
      WHERE g.environment = $1 AND g.channel = $2 AND coalesce(g.provider, '') = $3 AND g.telling = 'announced' AND n.minute >= $4 AND n.minute <= $5
    ), 0) + coalesce((
      SELECT sum(successes) FROM success_counts
      WHERE environment = $1 AND channel = $2 AND provider = $3 AND minute >= $4 AND minute <= $5
    ), 0) AS attempts,
    (SELECT max(last_at) FROM success_counts
     WHERE environment = $1 AND channel = $2 AND provider = $3 AND minute > $6 AND minute <= $5) AS last_at`;
