import { stringIn } from '../../json.ts';
import { lengthOf } from '../length.ts';
import { problem } from '../problem.ts';
import { ofType } from './placed.ts';
import type { Rule } from './rule.ts';

const MOST_MARKDOWN = 12_000;
const MOST_CHARTS = 2;

/** Slack's code for a second table, which chat.* return in another shape than other problems. */
export const ONE_TABLE = 'only_one_table_allowed';

/** The limit of all markdown in a message together. */
export const markdownTogether: Rule = ({ blocks, at }) => {
  const markdown = ofType(blocks, 'markdown').map(({ object }) => stringIn(object, 'text') ?? '');
  const total = markdown.reduce((sum, text) => sum + lengthOf(text), 0);
  if (total <= MOST_MARKDOWN) return [];
  const message = `markdown must be less than ${MOST_MARKDOWN + 1} characters in total`;
  return [problem(at, 'too_long', message, { expected: [`<= ${MOST_MARKDOWN}`], got: total })];
};

/** Allows one table. Slack's own guide to Block Kit counts both kinds as one. */
export const oneTable: Rule = ({ blocks, at }) => {
  const tables = ofType(blocks, 'table', 'data_table').length;
  return tables > 1 ? [problem(at, ONE_TABLE, ONE_TABLE, { expected: ['<= 1'], got: tables })] : [];
};

export const onePlan: Rule = ({ blocks, at }) => {
  const plans = ofType(blocks, 'plan').length;
  return plans > 1 ? [problem(at, 'too_many', 'only one `plan` is allowed', { expected: ['<= 1'], got: plans })] : [];
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
