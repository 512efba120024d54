import { describe, expect, test } from 'vitest';
import { BlockKit } from './block-kit.ts';
import {
  actions,
  type Block,
  button,
  cells,
  chart,
  container,
  dataTable,
  input,
  letters,
  lines,
  mrkdwn,
  picture,
  plain,
  section,
  segments,
  series,
  table,
  times,
} from './sample-blocks.testing.ts';

/** A limit: blocks of a given size, and where Slack points if they exceed it. */
type Limit = readonly [what: string, limit: number, blocksOf: (size: number) => Block[], pointer: string];

const divider = { type: 'divider' };
const label = (text: string) => chart({ chart: { type: 'pie', segments: segments(1, { label: text }) } });
const name = (text: string) =>
  chart({ chart: { type: 'bar', series: series(1, ['c'], { name: text }), axis_config: { categories: ['c'] } } });
const field = { type: 'plain_text_input' };

const settings = (columns: unknown[]) => table(1, 1).map((block) => ({ ...block, column_settings: columns }));
const headers = (column: number) => dataTable({ rows: cells(2, 2), row_header_column_index: column });
const longCells = (size: number) =>
  dataTable({
    rows: [1, 3000, 3000, 3000, size - 9001].map((length) => [{ type: 'raw_text', text: letters(length) }]),
  });

const MOST: readonly Limit[] = [
  ['blocks of a message', 50, (n) => times(n, () => divider), ''],
  ['characters in a block_id', 255, (n) => section({ block_id: letters(n) }), '/0/block_id'],
  ['characters in a section', 3000, (n) => section({ text: mrkdwn(letters(n)) }), '/0/text/text'],
  ['fields of a section', 10, (n) => section({ fields: times(n, () => plain('f')) }), '/0/fields'],
  ['characters in a field', 2000, (n) => section({ fields: [mrkdwn(letters(n))] }), '/0/fields/0/text'],
  ['characters in a header', 150, (n) => [{ type: 'header', text: plain(letters(n)) }], '/0/text/text'],
  ['levels of headers', 4, (n) => [{ type: 'header', text: plain('x'), level: n }], '/0/level'],
  ['elements of a context', 10, (n) => [{ type: 'context', elements: times(n, () => plain('c')) }], '/0/elements'],
  ['characters in a context', 3000, (n) => [{ type: 'context', elements: [plain(letters(n))] }], '/0/elements/0/text'],
  ['elements of actions', 25, (n) => actions(...times(n, () => button())), '/0/elements'],
  ["characters in an input's label", 2000, (n) => input(field, { label: plain(letters(n)) }), '/0/label/text'],
  ["characters in an input's hint", 2000, (n) => input(field, { hint: plain(letters(n)) }), '/0/hint/text'],
  ["characters in an image's address", 3000, (n) => [picture({ image_url: letters(n) })], '/0/image_url'],
  ["characters in an image's text", 2000, (n) => [picture({ alt_text: letters(n) })], '/0/alt_text'],
  ["characters in an image's title", 2000, (n) => [picture({ title: plain(letters(n)) })], '/0/title/text'],
  [
    'steps that a list of rich text goes in',
    8,
    (n) => [{ type: 'rich_text', elements: [{ type: 'rich_text_list', style: 'bullet', elements: [], indent: n }] }],
    '/0/elements/0/indent',
  ],
  ['rows of a table', 100, (n) => table(n, 1), '/0/rows'],
  ['cells of a row', 20, (n) => table(1, n), '/0/rows/0'],
  ['settings of columns', 20, (n) => settings(times(n, () => null)), '/0/column_settings'],
  ['tables of a message', 1, (n) => times(n, () => table(1, 1)).flat(), ''],
  ['rows of a data table, the header among them', 101, (n) => dataTable({ rows: cells(n, 1) }), '/0/rows'],
  ["cells of a data table's row", 20, (n) => dataTable({ rows: cells(2, n) }), '/0/rows/0'],
  ["rows of a data table's page", 100, (n) => dataTable({ page_size: n }), '/0/page_size'],
  ['characters in the cells of data tables', 10_000, (n) => longCells(n), ''],
  ['the last column for the headers of rows', 1, (n) => headers(n), '/0/row_header_column_index'],
  ["characters in a chart's title", 50, (n) => chart({ title: letters(n) }), '/0/title'],
  ['segments of a pie', 6, (n) => chart({ chart: { type: 'pie', segments: segments(n) } }), '/0/chart/segments'],
  ['characters of a segment', 20, (n) => label(letters(n)), '/0/chart/segments/0/label'],
  ['series of a chart', 6, (n) => lines(n, 1), '/0/chart/series'],
  ['points of a series', 20, (n) => lines(1, n), '/0/chart/series/0/data'],
  ['categories of an axis', 20, (n) => lines(1, n), '/0/chart/axis_config/categories'],
  ['characters of a series', 20, (n) => name(letters(n)), '/0/chart/series/0/name'],
  ['characters along an axis', 50, (n) => lines(1, 1, { x_label: letters(n) }), '/0/chart/axis_config/x_label'],
  ['characters up an axis', 50, (n) => lines(1, 1, { y_label: letters(n) }), '/0/chart/axis_config/y_label'],
  ['charts of a message', 2, (n) => times(n, () => chart()).flat(), ''],
  ['blocks of a container', 10, (n) => container({ child_blocks: times(n, () => divider) }), '/0/child_blocks'],
  ["characters in a container's title", 150, (n) => container({ title: plain(letters(n)) }), '/0/title/text'],
  ["characters in a container's subtitle", 150, (n) => container({ subtitle: plain(letters(n)) }), '/0/subtitle/text'],
];

const LEAST: readonly Limit[] = [
  ['characters in a section', 1, (n) => section({ text: mrkdwn(letters(n)) }), '/0/text/text'],
  ['fields of a section', 1, (n) => section({ fields: times(n, () => plain('f')) }), '/0/fields'],
  ['levels of headers', 1, (n) => [{ type: 'header', text: plain('x'), level: n }], '/0/level'],
  ['elements of a context', 1, (n) => [{ type: 'context', elements: times(n, () => plain('c')) }], '/0/elements'],
  ['elements of actions', 1, (n) => actions(...times(n, () => button())), '/0/elements'],
  ['rows of a table', 1, (n) => table(n, 1), '/0/rows'],
  ['rows of a data table', 2, (n) => dataTable({ rows: cells(n, 1) }), '/0/rows'],
  ["rows of a data table's page", 1, (n) => dataTable({ page_size: n }), '/0/page_size'],
  ['segments of a pie', 1, (n) => chart({ chart: { type: 'pie', segments: segments(n) } }), '/0/chart/segments'],
  ['series of a chart', 1, (n) => lines(n, 1), '/0/chart/series'],
  ['blocks of a container', 1, (n) => container({ child_blocks: times(n, () => divider) }), '/0/child_blocks'],
];

describe('the limits of blocks', () => {
  const blockKit = new BlockKit();
  const pointersOf = (blocks: Block[]) => blockKit.blocks(blocks, '').map(({ pointer }) => pointer);

  test.each(MOST)('allow at most this many %s: %i', (_what, limit, blocksOf, pointer) => {
    expect(pointersOf(blocksOf(limit))).toEqual([]);
    expect(pointersOf(blocksOf(limit + 1))).toContain(pointer);
  });

  test.each(LEAST)('require at least this many %s: %i', (_what, limit, blocksOf, pointer) => {
    expect(pointersOf(blocksOf(limit))).toEqual([]);
    expect(pointersOf(blocksOf(limit - 1))).toContain(pointer);
  });
});
