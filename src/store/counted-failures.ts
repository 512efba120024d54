import { z } from 'zod';
import type { GroupTally, VerdictCounts } from '../domain/failure.ts';
import type { WatchFilter } from '../domain/watch.ts';
import { jsonOf, type Sql, type SqlValue } from './database.ts';
import { Count } from './row.ts';
import { StoredVerdict, tallies } from './tallies.ts';

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
  ...[environment, afterSeq, toSeq, filter]: Asked
): Promise<VerdictCounts> {
  const counts = await sql.rows(
    VerdictCountRow,
    `SELECT f.verdict, count(*) FROM ${COUNTED} GROUP BY f.verdict`,
    valuesOf(environment, afterSeq, toSeq, filter),
  );
  return Object.fromEntries(counts.map(({ verdict, count }) => [verdict, count]));
}

/** The groups of these failures, at most `MOST_TALLIES`. */
export async function countedGroups(sql: Pick<Sql, 'rows'>, ...asked: Asked): Promise<GroupTally[]> {
  return (await tallies(sql, COUNTED, valuesOf(...asked))).map(({ tally }) => tally);
}

type Asked = [environment: string, afterSeq: number, toSeq: number | null, filter: WatchFilter];

function valuesOf(...[environment, afterSeq, toSeq, filter]: Asked): SqlValue[] {
  const lists = [filter.workflows, filter.channels, filter.providers, filter.severities, filter.topics];
  const names = lists.map((list) => jsonOf(list.map((name) => name.toLowerCase())));
  return [environment, afterSeq, toSeq, ...names, jsonOf(filter.verdicts)];
}

/** As `wants` has it in the domain. Warnings that a watch asks for have episodes of their own. */
const COUNTED = `
  failures f JOIN groups asked ON asked.key = f.group_key
  WHERE f.environment = $1 AND NOT f.is_announced AND f.seq > $2 AND ($3::bigint IS NULL OR f.seq <= $3)
    AND ($4::jsonb = '[]' OR $4::jsonb ? lower(asked.workflow) OR $4::jsonb ? lower(asked.workflow_name))
    AND ($5::jsonb = '[]' OR $5::jsonb ? lower(asked.channel))
    AND ($6::jsonb = '[]' OR $6::jsonb ? lower(asked.provider))
    AND ($7::jsonb = '[]' OR $7::jsonb ? lower(f.severity))
    AND ($8::jsonb = '[]' OR EXISTS (SELECT 1 FROM unnest(f.topics) AS topic WHERE $8::jsonb ? lower(topic)))
    AND ($9::jsonb = '[]' OR $9::jsonb ? f.verdict AND f.verdict <> 'warning')`;

/** The sum of two counts by verdict. */
export function sumOf(a: VerdictCounts, b: VerdictCounts): VerdictCounts {
  const sum: { -readonly [V in keyof VerdictCounts]: number } = { ...a };
  for (const verdict of StoredVerdict.options) {
    const count = (a[verdict] ?? 0) + (b[verdict] ?? 0);
    if (count > 0) sum[verdict] = count;
  }
  return sum;
}
