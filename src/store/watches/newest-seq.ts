/** An episode outlives its failures by up to a day in the store, and would count as new without its own number. */
export function newestSeqIn(row: string): string {
  return `coalesce(GREATEST(
    (SELECT max(seq) FROM failures f WHERE f.environment = ${row}.environment),
    (SELECT max(e.newest_seq) FROM episodes e JOIN groups g ON g.key = e.group_key WHERE g.environment = ${row}.environment)), 0)`;
}
