import { z } from 'zod';
import type { VerdictCounts } from '../domain/failure.ts';
import type { WatchFilter } from '../domain/watch.ts';
import { jsonOf, type Sql } from './database.ts';
import { Count } from './row.ts';
import { StoredVerdict } from './tallies.ts';

const VerdictCountRow = z.object({ verdict: StoredVerdict, count: Count });

/** How many failures of an environment after `seq` are only counted, by verdict; those that a watch with this filter is about. */
export function countedAfter(
  sql: Pick<Sql, 'rows'>,
  environment: string,
  seq: number,
  filter: WatchFilter,
): Promise<VerdictCounts> {
  return countedBetween(sql, environment, seq, null, filter);
}

/** The same, of those up to another one; null for all. */
export async function countedBetween(
  sql: Pick<Sql, 'rows'>,
  environment: string,
  afterSeq: number,
  toSeq: number | null,
  filter: WatchFilter,
): Promise<VerdictCounts> {
  const lists = [filter.workflows, filter.channels, filter.providers, filter.severities, filter.topics];
  const names = lists.map((list) => jsonOf(list.map((name) => name.toLowerCase())));
  const counts = await sql.rows(VerdictCountRow, COUNTED, [
    environment,
    afterSeq,
    ...names,
    jsonOf(filter.verdicts),
    toSeq,
  ]);
  return Object.fromEntries(counts.map(({ verdict, count }) => [verdict, count]));
}

/** As `wants` has it in the domain. */
const COUNTED = `
  SELECT f.verdict, count(*) FROM failures f JOIN groups g ON g.key = f.group_key
  WHERE f.environment = $1 AND NOT f.is_announced AND f.seq > $2 AND ($9::bigint IS NULL OR f.seq <= $9)
    AND ($3::jsonb = '[]' OR $3::jsonb ? lower(g.workflow) OR $3::jsonb ? lower(g.workflow_name))
    AND ($4::jsonb = '[]' OR $4::jsonb ? lower(g.channel))
    AND ($5::jsonb = '[]' OR $5::jsonb ? lower(g.provider))
    AND ($6::jsonb = '[]' OR $6::jsonb ? lower(f.severity))
    AND ($7::jsonb = '[]' OR EXISTS (SELECT 1 FROM unnest(f.topics) AS topic WHERE $7::jsonb ? lower(topic)))
    AND ($8::jsonb = '[]' OR $8::jsonb ? f.verdict)
  GROUP BY f.verdict`;

/** The sum of two counts by verdict. */
export function sumOf(a: VerdictCounts, b: VerdictCounts): VerdictCounts {
  const sum: { -readonly [V in keyof VerdictCounts]: number } = { ...a };
  for (const verdict of StoredVerdict.options) {
    const count = (a[verdict] ?? 0) + (b[verdict] ?? 0);
    if (count > 0) sum[verdict] = count;
  }
  return sum;
}
