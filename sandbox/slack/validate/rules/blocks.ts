import { problem } from '../problem.ts';
import { ofType } from './placed.ts';
import type { Rule } from './rule.ts';

const MOST_CHARTS = 2;

/** Slack's code for a second table, which chat.* return in another shape than other problems. */
export const ONE_TABLE = 'only_one_table_allowed';

/** Allows one table. Slack's own guide to Block Kit counts both kinds as one. */
export const oneTable: Rule = ({ blocks, at }) => {
  const tables = ofType(blocks, 'table', 'data_table').length;
  return tables > 1 ? [problem(at, ONE_TABLE, ONE_TABLE, { expected: ['<= 1'], got: tables })] : [];
};

export const twoCharts: Rule = ({ blocks, at }) => {
  const charts = ofType(blocks, 'data_visualization').length;
  if (charts <= MOST_CHARTS) return [];
  const message = `no more than ${MOST_CHARTS} \`data_visualization\` blocks allowed`;
  return [problem(at, 'too_many', message, { expected: [`<= ${MOST_CHARTS}`], got: charts })];
};

/** Only a collapsible block can be collapsed initially. */
export const collapsible: Rule = ({ blocks }) =>
  ofType(blocks, 'container')
    .filter(({ object }) => object.default_collapsed === true && object.is_collapsible !== true)
    .map(({ at }) => {
      const message = 'must define `is_collapsible` to use `default_collapsed`';
      return problem(`${at}/default_collapsed`, 'invalid_value', message, { expected: [false], got: true });
    });
