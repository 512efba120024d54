import type { WebClient } from '@slack/web-api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, refusalOf, startSlack } from '../local-slack.testing.ts';
import type { LocalSlack } from '../server.ts';
import { BlockKit } from './block-kit.ts';

type Block = Record<string, unknown>;

/** The smallest parts that Slack accepts, each with the changes that a test wants. */
const letters = (count: number) => 'a'.repeat(count);
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const option = (change: Block = {}) => ({ text: plain('One'), value: '1', ...change });
const options = (count: number) => times(count, () => option());
const button = (change: Block = {}) => ({ type: 'button', text: plain('Go'), ...change });
const section = (change: Block = {}) => [{ type: 'section', text: mrkdwn('x'), ...change }];
const actions = (...elements: Block[]) => [{ type: 'actions', elements }];
const select = (change: Block) => actions({ type: 'static_select', options: options(1), ...change });
const input = (element: Block, change: Block = {}) => [{ type: 'input', label: plain('Name'), element, ...change }];
const field = (change: Block = {}) => input({ type: 'plain_text_input', ...change });
const raw = (text = 'x') => ({ type: 'raw_text', text });
const rich = { type: 'rich_text', elements: [] };
const cells = (rows: number, columns: number) => times(rows, () => times(columns, () => raw()));
const table = (change: Block = {}) => [{ type: 'data_table', caption: 'Numbers', rows: cells(2, 1), ...change }];
const series = (count: number, labels: readonly string[], change: Block = {}) =>
  times(count, (at) => ({ name: `s${at}`, data: labels.map((label) => ({ label, value: 1 })), ...change }));
const chart = (change: Block = {}) => [
  {
    type: 'data_visualization',
    title: 'Sent',
    chart: { type: 'bar', series: series(1, ['a']), axis_config: { categories: ['a'] }, ...change },
  },
];
const divider = { type: 'divider' };
const container = (change: Block = {}) => [
  { type: 'container', title: plain('x'), child_blocks: [divider], is_collapsible: true, ...change },
];
const modal = (change: Block) => ({ type: 'modal', title: plain('T'), submit: plain('Go'), blocks: [], ...change });

const blockKit = new BlockKit();

/** For each class of limit, blocks of a given size, and where Slack points if they exceed it. */
const MOST: readonly (readonly [what: string, limit: number, blocksOf: (size: number) => Block[], pointer: string])[] =
  [
    ['blocks of a message', 50, (n) => times(n, () => divider), ''],
    ['characters in a section', 3000, (n) => section({ text: mrkdwn(letters(n)) }), '/0/text/text'],
    ['characters on a button', 75, (n) => actions(button({ text: plain(letters(n)) })), '/0/elements/0/text/text'],
    ['rows of a data table with its header', 101, (n) => table({ rows: cells(n, 1) }), '/0/rows'],
    ['rows of a page', 100, (n) => table({ page_size: n }), '/0/page_size'],
    [
      'characters in the cells of a data table',
      10_000,
      (n) => table({ rows: [1, 3000, 3000, 3000, n - 9001].map((size) => [raw(letters(size))]) }),
      '',
    ],
    ['data tables of a message', 1, (n) => times(n, () => table()).flat(), ''],
    ['charts of a message', 2, (n) => times(n, () => chart()).flat(), ''],
  ];

describe('Block Kit', () => {
  const pointersOf = (blocks: Block[]) => blockKit.blocks(blocks, '').map(({ pointer }) => pointer);

  test.each(MOST)('allows at most this many %s: %i', (_what, limit, blocksOf, pointer) => {
    expect(pointersOf(blocksOf(limit))).toEqual([]);
    expect(pointersOf(blocksOf(limit + 1))).toContain(pointer);
  });

  test.each<[what: string, blocks: Block[]]>([
    ['one action_id in two blocks', [...actions(button({ action_id: 'a' })), ...actions(button({ action_id: 'a' }))]],
    ['an initial option of an external select', actions({ type: 'external_select', initial_option: option() })],
    ['points in another order', chart({ series: series(1, ['a', 'b']), axis_config: { categories: ['b', 'a'] } })],
    ['rich text below the header of a data table', table({ rows: [[raw()], [rich]] })],
    ['a collapsed container', container({ default_collapsed: true })],
  ])('accepts %s', (_what, blocks) => {
    expect(pointersOf(blocks)).toEqual([]);
  });

  test.each<[what: string, blocks: unknown[], pointer: string, message: string]>([
    ['a section without text', [{ type: 'section' }], '/0', 'missing required field: text'],
    ['an empty text', section({ text: plain('') }), '/0/text/text', 'must be more than 0 characters'],
    ['a block that is a number', [1], '/0', 'must provide an object'],
    ['an unknown block', [{ type: 'toString' }], '/0/type', 'unsupported type: toString'],
    ['a field that does not exist', section({ txt: 1 }), '/0', 'invalid additional property: txt'],
    ['an unknown style', actions(button({ style: 'red' })), '/0/elements/0/style', 'must be a valid enum value'],
    [
      'no options',
      actions({ type: 'static_select' }),
      '/0/elements/0',
      'must define either `options` or `option_groups`',
    ],
    [
      'an initial option that is not offered',
      select({ initial_option: option({ value: '2' }) }),
      '/0/elements/0',
      'initial option must match one of the options',
    ],
    [
      'two blocks of one id, one inside another',
      [...section({ block_id: 'a' }), ...container({ child_blocks: section({ block_id: 'a' }) })],
      '/1/child_blocks/0/block_id',
      '`block_id` "a" already exists',
    ],
    [
      'a container that is closed for good',
      container({ is_collapsible: false, default_collapsed: true }),
      '/0',
      'must define `is_collapsible` to use `default_collapsed`',
    ],
    ['uneven rows', table({ rows: [...cells(2, 2), ...cells(1, 1)] }), '/0/rows', 'rows must have equal length'],
    ['rich text in the header', table({ rows: [[rich], [raw()]] }), '/0/rows/0/0/type', 'unsupported type: rich_text'],
    [
      'two series of one name',
      chart({ series: series(2, ['a'], { name: 's' }) }),
      '/0/chart',
      'the names of `series` must differ',
    ],
    [
      'a category without a point',
      chart({ axis_config: { categories: ['a', 'b'] } }),
      '/0/chart',
      'must have one data point for each category',
    ],
  ])('refuses %s', (_what, blocks, pointer, message) => {
    expect(blockKit.blocks(blocks, '')).toEqual([{ pointer, message }]);
  });

  test.each<[what: string, view: Block, pointer: string]>([
    ['a form without a submit button', { ...modal({ blocks: field() }), submit: undefined }, ''],
    ['what only messages can show', modal({ blocks: table() }), '/blocks/0/type'],
    ['two focused fields', modal({ blocks: times(2, () => field({ focus_on_load: true })).flat() }), '/blocks'],
  ])('refuses a view with %s', (_what, view, pointer) => {
    expect(blockKit.view(view, 'modal', '')).toMatchObject([{ pointer }]);
  });

  test('validates any JSON without throwing, and accepts only lists of objects for blocks', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const isListOfObjects =
          Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null);
        if (!isListOfObjects) expect(blockKit.blocks(value, '/blocks')).not.toEqual([]);
        expect(blockKit.view(value, 'any', '')).not.toEqual([]);
      }),
    );
  });
});

describe('a message', () => {
  let slack: LocalSlack;
  let client: WebClient;
  beforeAll(async () => {
    slack = await startSlack();
    client = clientOf(slack);
  });
  afterAll(() => slack.close());

  const post = (blocks: unknown) => client.apiCall('chat.postMessage', { channel: 'C0ONCALL', text: 't', blocks });

  test('is refused with all problems of its blocks, in both of Slack’s lists', async () => {
    const line = 'missing required field: text [json-pointer:/blocks/0]';
    expect(await refusalOf(post([{ type: 'section' }]))).toMatchObject({
      error: 'invalid_blocks',
      errors: [line],
      response_metadata: { messages: [`[ERROR] ${line}`] },
    });
  });

  test('is refused in another shape for a second table, and if its blocks are no list', async () => {
    const two = await refusalOf(post([...table(), ...table()]));
    expect(two).toMatchObject({
      error: 'invalid_attachments',
      response_metadata: { messages: ['only_one_table_allowed'] },
    });
    expect(await refusalOf(post('{"type":'))).toMatchObject({ error: 'invalid_blocks_format' });
  });

  test('can have 13,200 characters of blocks, of which a table counts by its texts', async () => {
    const long = (count: number) => times(5, () => section({ text: mrkdwn(letters(count)) })).flat();
    await post(long(2_500));
    expect(await refusalOf(post(long(2_700)))).toMatchObject({ error: 'msg_blocks_too_long' });
    await post(table({ rows: cells(101, 20) }));
  });

  test('can’t have newer blocks where a workspace lacks them', async () => {
    const end = slack.faults.refuseBlocks();
    expect(JSON.stringify(await refusalOf(post(chart())))).toContain('not supported in this workspace');
    end();
    await post(chart());
  });
});
