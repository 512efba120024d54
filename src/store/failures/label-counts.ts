import { z } from 'zod';
import { ANY_EVENT, type Label, labelNumber } from '../../domain/failures/labels.ts';
import { jsonOf, type SqlRows } from '../database/database.ts';
import { Count } from '../database/row.ts';

/** Returns the slot of `label_counts` for a time. */
export const slotOf = (time: string): string => `date_bin('10 minutes', ${time}, 'epoch')`;

/** A label of a workflow's events created within a time range, by whole slots. */
export interface LabelAsked {
  readonly environment: string;
  readonly workflow: string;
  readonly label: Label;
  readonly from: Date;
  readonly to: Date;
}

const CountRow = z.object({ index: z.number(), events: Count, labeled: Count });

/** Returns how many events of each requested kind there were, and how many of them had its label, rather too many than too few. */
export async function labelCounts(
  sql: SqlRows,
  asked: readonly LabelAsked[],
): Promise<readonly { readonly events: number; readonly labeled: number }[]> {
  if (asked.length === 0) return [];
  const questions = asked.map((one, index) => ({ ...one, index, label: labelNumber(one.label) }));
  const counts = new Map((await sql.rows(CountRow, COUNTS, [jsonOf(questions)])).map((row) => [row.index, row]));
  return asked.map((_, index) => counts.get(index) ?? { events: 0, labeled: 0 });
}

/** Counts for the question `asked`, in a subquery: the database overestimates the number of questions, and would read all counts for it. */
function countOf(label: string): string {
  return `coalesce((
    SELECT sum(c.events) FROM label_counts c WHERE c.environment = asked.environment AND c.workflow = asked.workflow AND c.label = ${label}
      AND c.slot >= ${slotOf('asked."from"')} AND c.slot <= asked."to"), 0)`;
}

const COUNTS = `
  SELECT asked.index, ${countOf(`${ANY_EVENT}`)} AS events, ${countOf('asked.label')} AS labeled
  FROM jsonb_to_recordset($1::jsonb) AS asked (index integer, environment text, workflow text, label smallint, "from" timestamptz, "to" timestamptz)`;
