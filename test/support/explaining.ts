import pg from 'pg';
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

const CostRow = z
  .object({ 'QUERY PLAN': z.tuple([z.object({ Plan: z.object({ 'Total Cost': z.number() }) })]) })
  .transform((row) => row['QUERY PLAN'][0].Plan['Total Cost']);

const ANALYZE = 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON)';

/** Statements that have a plan; locks and savepoints don't. */
const HAS_PLAN = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/;

/**
 * Returns the database with each statement that `isAsked` accepts executed several times: first to get its plans, which is rolled back, and
 * then normally. `onExplained` gets the plan for these values and, where PostgreSQL would keep one for all values, that one.
 */
export function explaining(
  database: Database,
  isAsked: (text: string) => boolean,
  onExplained: (explained: Explained) => void,
): Database {
  async function explain(sql: Sql, text: string, values: readonly SqlValue[]): Promise<void> {
    if (!HAS_PLAN.test(text) || !isAsked(text)) return;
    const run = `EXECUTE explained${values.length === 0 ? '' : `(${values.map(literal).join(', ')})`}`;
    await sql.script(`SAVEPOINT explained; PREPARE explained AS ${text}`);
    for (const plans of (await keepsItsPlan(sql, run)) ? (['custom', 'generic'] as const) : (['custom'] as const)) {
      await sql.script(`SAVEPOINT planned; SET LOCAL plan_cache_mode = force_${plans}_plan`);
      const [plan] = await sql.rows(PlanRow, `${ANALYZE} ${run}`);
      await sql.script('ROLLBACK TO SAVEPOINT planned');
      if (plan !== undefined) onExplained({ text, plan });
    }
    await sql.script('DEALLOCATE explained; ROLLBACK TO SAVEPOINT explained');
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

/** What PostgreSQL adds to the cost of a plan that it would have to make again, at least (`cached_plan_cost` in its plancache.c). */
const PLANNING_COST = 5;

/** From the sixth run on, PostgreSQL keeps a plan for all values if it seems no dearer than planning for each (its documentation of PREPARE). */
async function keepsItsPlan(sql: Sql, run: string): Promise<boolean> {
  const costs: number[] = [];
  for (const plans of ['generic', 'custom']) {
    await sql.script(`SET LOCAL plan_cache_mode = force_${plans}_plan`);
    costs.push(...(await sql.rows(CostRow, `EXPLAIN (FORMAT JSON) ${run}`)));
  }
  const [generic = 0, custom = 0] = costs;
  return generic <= custom + PLANNING_COST;
}

function literal(value: SqlValue): string {
  if (value === null) return 'NULL';
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}
