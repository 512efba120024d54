import { z } from 'zod';
import type { VerdictCounts } from '../../domain/failures/failure.ts';
import { FILTER_NAMES } from '../../domain/failures/failure-filter.ts';
import { failureFilterOf, type WatchFilter } from '../../domain/watches/watch.ts';
import type { SqlRows, SqlValue } from '../database/database.ts';
import { Count } from '../database/row.ts';
import { asSpelled, filterConditions, filterValues } from './filter-conditions.ts';
import { StoredVerdict } from './tallies.ts';

const VerdictCountRow = z.object({ verdict: StoredVerdict, count: Count });

/** `failures` follows FROM: the table named `f`, its joins, and the conditions. */
export async function countByVerdict(
  sql: SqlRows,
  failures: string,
  values: readonly SqlValue[],
): Promise<VerdictCounts> {
  const counts = await sql.rows(
    VerdictCountRow,
    `SELECT f.verdict, count(*) FROM ${failures} GROUP BY f.verdict`,
    values,
  );
  return Object.fromEntries(counts.map(({ verdict, count }) => [verdict, count]));
}

export async function countedBetween(
  sql: SqlRows,
  environment: string,
  afterSeq: number,
  toSeq: number,
  filter: WatchFilter,
): Promise<VerdictCounts> {
  const spelled = await asSpelled(sql, environment, failureFilterOf(filter));
  return countByVerdict(sql, COUNTED, [environment, afterSeq, toSeq, ...filterValues(spelled)]);
}

/** Mirrors `wants` of the domain. Warnings that a watch asks for have their own episodes. */
const COUNTED = `
  failures f JOIN groups asked ON asked.key = f.group_key
  WHERE f.environment = $1 AND NOT f.is_announced AND f.seq > $2 AND f.seq <= $3
    AND ${filterConditions(4)}
    AND ($${4 + FILTER_NAMES.indexOf('verdicts')}::jsonb = '[]' OR f.verdict <> 'warning')`;

export function sumOf(a: VerdictCounts, b: VerdictCounts): VerdictCounts {
  const sum: { -readonly [V in keyof VerdictCounts]: number } = { ...a };
  for (const verdict of StoredVerdict.options) {
    const count = (a[verdict] ?? 0) + (b[verdict] ?? 0);
    if (count > 0) sum[verdict] = count;
  }
  return sum;
}
