import { describe, expect, test } from 'vitest';
import { BlockKit } from '../block-kit.ts';
import {
  actions,
  type Block,
  button,
  cells,
  chart,
  container,
  dataTable,
  input,
  modal,
  option,
  plain,
  section,
  select,
  series,
  table,
} from '../sample-blocks.testing.ts';

const blockKit = new BlockKit();
const problemsOf = (blocks: Block[]) => blockKit.blocks(blocks, '').map(({ pointer, message }) => [pointer, message]);
const inModal = (blocks: Block[]) =>
  blockKit.view(modal({ blocks }), 'modal', '').map(({ pointer, message }) => [pointer, message]);

const rich = { type: 'rich_text', elements: [] };
const raw = { type: 'raw_text', text: 'x' };
const field = (type: string, change: Block) => input({ type, ...change });
const channels = { type: 'channels_select', response_url_enabled: true };
const bars = (change: Block) => chart({ chart: { type: 'bar', series: series(1, ['a', 'b']), ...change } });

describe('the rules beyond the schema', () => {
  test.each<[what: string, blocks: Block[]]>([
    ['one action_id in two blocks', [...actions(button({ action_id: 'a' })), ...actions(button({ action_id: 'a' }))]],
    [
      'an initial option that an external select has no options for',
      actions({ type: 'external_select', initial_option: option() }),
    ],
    ['an open container that can be closed', container({ is_collapsible: true, default_collapsed: true })],
    ['points in another order than the categories', bars({ axis_config: { categories: ['b', 'a'] } })],
    ['uneven rows of a plain table', [{ type: 'table', rows: [[raw], [raw, raw]] }]],
    ['rich text below the header of a data table', dataTable({ rows: [[raw], [rich]] })],
  ])('accept %s', (_what, blocks) => {
    expect(problemsOf(blocks)).toEqual([]);
  });

  test.each<[what: string, blocks: Block[], pointer: string, message: string]>([
    [
      'two blocks of one id, one inside another',
      [...section({ block_id: 'a' }), ...container({ child_blocks: section({ block_id: 'a' }) })],
      '/1/child_blocks/0/block_id',
      '`block_id` "a" already exists',
    ],
    [
      'an initial option that differs from the one offered',
      select({ initial_option: option({ description: plain('d') }) }),
      '/0/elements/0',
      'initial option must match one of the options',
    ],
    [
      'a least length beyond the greatest',
      field('plain_text_input', { min_length: 3, max_length: 2 }),
      '/0/element/min_length',
      '`min_length` must not be greater than `max_length`',
    ],
    [
      'a response_url for a message',
      input(channels),
      '/0/element/response_url_enabled',
      'only an `input` block of a modal may use it',
    ],
    [
      'a table and a data table',
      [...table(1, 1), ...container({ child_blocks: table(1, 1) })],
      '',
      'only_one_table_allowed',
    ],
    ['a table beside a data table', [...table(1, 1), ...dataTable()], '', 'only_one_table_allowed'],
    [
      'a container that is closed for good',
      container({ default_collapsed: true }),
      '/0/default_collapsed',
      'must define `is_collapsible` to use `default_collapsed`',
    ],
    [
      'uneven rows of a data table',
      dataTable({ rows: [...cells(2, 2), ...cells(1, 1)] }),
      '/0/rows/2',
      'rows must have equal length',
    ],
    [
      'rich text in the header',
      dataTable({ rows: [[rich], [raw]] }),
      '/0/rows/0/0/type',
      'unsupported type: rich_text',
    ],
    [
      'two series of one name',
      bars({ series: series(2, ['a'], { name: 's' }), axis_config: { categories: ['a'] } }),
      '/0/chart/series/1/name',
      '`name` "s" already exists',
    ],
    [
      'a category without a point',
      bars({ axis_config: { categories: ['a', 'b', 'c'] } }),
      '/0/chart/series/0/data',
      'must have one data point for each category',
    ],
    [
      'a point beside the categories',
      bars({ axis_config: { categories: ['a'] } }),
      '/0/chart/series/0/data',
      'must have one data point for each category',
    ],
    [
      'two points of one category',
      bars({ series: series(1, ['a', 'a']), axis_config: { categories: ['a', 'b'] } }),
      '/0/chart/series/0/data',
      'must have one data point for each category',
    ],
  ])('reject %s', (_what, blocks, pointer, message) => {
    expect(problemsOf(blocks)).toEqual([[pointer, message]]);
  });

  test('count blocks and attachments together', () => {
    const message = { blocks: table(1, 1), attachments: [{ blocks: table(1, 1) }] };
    expect(blockKit.message(message, '')).toMatchObject([{ message: 'only_one_table_allowed', pointer: '/blocks' }]);
  });

  test("let only a modal's input blocks request response_urls", () => {
    expect(inModal(input(channels))).toEqual([]);
    const pointer = '/blocks/0/elements/0/response_url_enabled';
    expect(inModal(actions(channels))).toEqual([[pointer, 'only an `input` block of a modal may use it']]);
  });
});
