import { coversAll, type Matched, matchedIn } from '../incidents/counts.ts';
import type { Db } from '../store/db.ts';
import { mayCover, type Watchable, type WatchFilter } from './settings.ts';

/** Of an incident that has `afterSeq`, only the failures after that one count. */
type Incident = Watchable & { readonly id: number; readonly afterSeq?: number };

/** The incidents of an environment that a filter covers, with what it covers of each; null: all of it. */
export async function coveredOf<Row extends Incident>(
  db: Db,
  filter: WatchFilter,
  environment: string,
  incidents: readonly Row[],
): Promise<(Row & { readonly matched: Matched | null })[]> {
  const rows = incidents.filter((incident) => mayCover(filter, incident));
  if (coversAll(filter)) return rows.map((row) => ({ ...row, matched: null }));
  const since = rows.map(({ id, afterSeq = 0 }) => ({ id, afterSeq }));
  const found = await matchedIn(db, environment, since, filter);
  return rows.flatMap((row) => {
    const matched = found.get(row.id)?.total;
    return matched === undefined ? [] : [{ ...row, matched }];
  });
}
