import { addMilliseconds, subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { ChangeColumns, changeOf } from '../changes/changes.ts';
import {
  type ChangeBefore,
  changedBefore,
  type Explained,
  MAY_EXPLAIN_MS,
  NOTICED_AFTER_MS,
} from '../domain/changes/change.ts';
import type { Db } from '../store/db.ts';
import { jsonOf } from '../store/values.ts';

export interface ExplainedIncident extends Explained {
  readonly id: number;
  readonly environment: string;
}

const Found = ChangeColumns.extend({ index: z.number() });

/** Returns the change that may explain each incident, by incident; those without one are missing. */
export async function changesBefore(
  sql: Db,
  incidents: readonly ExplainedIncident[],
): Promise<ReadonlyMap<number, ChangeBefore>> {
  const windows = incidents.map(({ environment, firstFailureAt: first }, index) => ({
    ...{ index, environment },
    from: subMilliseconds(first, MAY_EXPLAIN_MS),
    to: addMilliseconds(first, NOTICED_AFTER_MS),
  }));
  const found = await sql.rows(Found, AROUND, [jsonOf(windows)]);
  return new Map(
    incidents.flatMap((incident, index) => {
      const around = found.filter((change) => change.index === index).map(changeOf);
      const change = changedBefore(around, incident);
      return change === null ? [] : [[incident.id, change]];
    }),
  );
}

const AROUND = `
  SELECT item.index, c.*
  FROM jsonb_to_recordset($1::jsonb) AS item (index integer, environment text, "from" timestamptz, "to" timestamptz)
  JOIN changes c ON c.environment = item.environment AND c.at BETWEEN item."from" AND item."to"`;
