import { z } from 'zod';
import type { Database, Sql, SqlValue } from '../../src/store/database/database.ts';

/** A step of an executed plan. */
export interface PlanNode {
  readonly type: string;
  /** The table that the step reads or writes; null for other steps. */
  readonly table: string | null;
  /** The rows that it looked at over all of its runs, including those that it filtered out. */
  readonly rows: number;
  readonly children: readonly PlanNode[];
}

export interface Explained {
  readonly text: string;
  readonly plan: PlanNode;
}

const PlanNode: z.ZodType<PlanNode> = z.lazy(() =>
  z
    .object({
      'Node Type': z.string(),
      'Relation Name': z.string().default(''),
      'Actual Rows': z.number(),
      'Actual Loops': z.number(),
      'Rows Removed by Filter': z.number().default(0),
      'Rows Removed by Index Recheck': z.number().default(0),
      Plans: z.array(PlanNode).default([]),
    })
    .transform((node): PlanNode => {
      const left = node['Rows Removed by Filter'] + node['Rows Removed by Index Recheck'];
      return {
        type: node['Node Type'],
        table: node['Relation Name'] === '' ? null : node['Relation Name'],
        rows: Math.round((node['Actual Rows'] + left) * node['Actual Loops']),
        children: node.Plans,
      };
    }),
);

const PlanRow = z
  .object({ 'QUERY PLAN': z.tuple([z.object({ Plan: PlanNode })]) })
  .transform((row) => row['QUERY PLAN'][0].Plan);

/** Statements that have a plan; locks and savepoints don't. */
const HAS_PLAN = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/;

/**
 * Returns the database with each statement that `isAsked` accepts executed twice: first to get its plan, which is rolled back, and then
 * normally. `onExplained` gets the plan.
 */
export function explaining(
  database: Database,
  isAsked: (text: string) => boolean,
  onExplained: (explained: Explained) => void,
): Database {
  async function explain(sql: Sql, text: string, values: readonly SqlValue[]): Promise<void> {
    if (!HAS_PLAN.test(text) || !isAsked(text)) return;
    await sql.write('SAVEPOINT explained');
    const [plan] = await sql.rows(PlanRow, `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`, values);
    await sql.write('ROLLBACK TO SAVEPOINT explained');
    if (plan !== undefined) onExplained({ text, plan });
  }

  const within = (sql: Sql): Sql => ({
    ...sql,
    async rows(Row, text, values = []) {
      await explain(sql, text, values);
      return sql.rows(Row, text, values);
    },
    async write(text, values = []) {
      await explain(sql, text, values);
      return sql.write(text, values);
    },
  });
  const withTransaction: Database['withTransaction'] = (work) => database.withTransaction((sql) => work(within(sql)));
  return {
    ...database,
    withTransaction,
    rows: (Row, text, values) => withTransaction((sql) => sql.rows(Row, text, values)),
    write: (text, values) => withTransaction((sql) => sql.write(text, values)),
  };
}
