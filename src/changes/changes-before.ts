import { addMilliseconds, max, min, subMilliseconds } from 'date-fns';
import { and, between, inArray } from 'drizzle-orm';
import type { Db } from '../store/db.ts';
import { changes } from '../store/schema.ts';
import { type ChangeBefore, changedBefore, type Explained, MAY_EXPLAIN_MS, NOTICED_AFTER_MS } from './change.ts';
import { changeOf } from './changes.ts';

export interface ExplainedIncident extends Explained {
  readonly id: number;
  readonly environment: string;
}

/** Returns the change that may explain each incident, by incident; those without one are missing. */
export async function changesBefore(
  db: Db,
  incidents: readonly ExplainedIncident[],
): Promise<ReadonlyMap<number, ChangeBefore>> {
  if (incidents.length === 0) return new Map();
  const windows = incidents.map(({ firstFailureAt }) => ({
    from: subMilliseconds(firstFailureAt, MAY_EXPLAIN_MS),
    to: addMilliseconds(firstFailureAt, NOTICED_AFTER_MS),
  }));
  const places = [...new Set(incidents.map(({ environment }) => environment))];
  const isNear = between(changes.at, min(windows.map(({ from }) => from)), max(windows.map(({ to }) => to)));
  const near = await db
    .select()
    .from(changes)
    .where(and(inArray(changes.environment, places), isNear));
  return new Map(
    incidents.flatMap((incident, index) => {
      const window = windows[index];
      const around = near.filter(({ environment, at }) => {
        return window !== undefined && environment === incident.environment && at >= window.from && at <= window.to;
      });
      const change = changedBefore(around.map(changeOf), incident);
      return change === null ? [] : [[incident.id, change]];
    }),
  );
}
