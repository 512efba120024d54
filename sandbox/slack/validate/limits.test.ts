import type { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalSlack } from '../server.ts';
import { clientOf, refusalOf, startSlack } from '../testing.ts';

type Block = Record<string, unknown>;

const letters = (count: number) => 'a'.repeat(count);
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const option = (change: Block = {}) => ({ text: plain('One'), value: '1', ...change });
const button = (change: Block = {}) => ({ type: 'button', text: plain('Go'), ...change });
const actions = (...elements: Block[]) => [{ type: 'actions', elements }];
const section = (change: Block) => [{ type: 'section', text: mrkdwn('x'), ...change }];
const select = (change: Block) => actions({ type: 'static_select', options: [option()], ...change });
const input = (element: Block, change: Block = {}) => [{ type: 'input', label: plain('Name'), element, ...change }];
const confirm = (change: Block) => actions(button({ confirm: { text: plain('Sure?'), ...change } }));
const table = (rows: number, cells: number) => [
  { type: 'table', rows: times(rows, () => times(cells, () => ({ type: 'raw_text', text: 'x' }))) },
];

/** Each limit: how blocks of a size look, the limit, and where Slack points when it is passed. */
const MESSAGE_LIMITS: readonly [what: string, limit: number, (size: number) => Block[], pointer: string][] = [
  ['characters in a section', 3000, (n) => section({ text: mrkdwn(letters(n)) }), '/blocks/0/text/text'],
  ['characters in a field', 2000, (n) => section({ fields: [mrkdwn(letters(n))] }), '/blocks/0/fields/0/text'],
  ['fields of a section', 10, (n) => section({ fields: times(n, () => plain('f')) }), '/blocks/0/fields'],
  ['characters in a header', 150, (n) => [{ type: 'header', text: plain(letters(n)) }], '/blocks/0/text/text'],
  [
    'elements of a context',
    10,
    (n) => [{ type: 'context', elements: times(n, () => plain('c')) }],
    '/blocks/0/elements',
  ],
  ['elements of actions', 25, (n) => actions(...times(n, () => button())), '/blocks/0/elements'],
  ['characters on a button', 75, (n) => actions(button({ text: plain(letters(n)) })), '/blocks/0/elements/0/text/text'],
  ['characters in a value', 2000, (n) => actions(button({ value: letters(n) })), '/blocks/0/elements/0/value'],
  ['characters in a link', 3000, (n) => actions(button({ url: letters(n) })), '/blocks/0/elements/0/url'],
  [
    'characters in a spoken label',
    75,
    (n) => actions(button({ accessibility_label: letters(n) })),
    '/blocks/0/elements/0/accessibility_label',
  ],
  [
    'characters in an action_id',
    255,
    (n) => actions(button({ action_id: letters(n) })),
    '/blocks/0/elements/0/action_id',
  ],
  ['characters in a block_id', 255, (n) => section({ block_id: letters(n) }), '/blocks/0/block_id'],
  [
    'entries of an overflow menu',
    5,
    (n) => actions({ type: 'overflow', options: times(n, () => option()) }),
    '/blocks/0/elements/0/options',
  ],
  ['options of a select', 100, (n) => select({ options: times(n, () => option()) }), '/blocks/0/elements/0/options'],
  [
    'characters in an option',
    75,
    (n) => select({ options: [option({ text: plain(letters(n)) })] }),
    '/blocks/0/elements/0/options/0/text/text',
  ],
  [
    "characters in an option's value",
    150,
    (n) => select({ options: [option({ value: letters(n) })] }),
    '/blocks/0/elements/0/options/0/value',
  ],
  [
    "characters in an option's description",
    75,
    (n) => select({ options: [option({ description: plain(letters(n)) })] }),
    '/blocks/0/elements/0/options/0/description/text',
  ],
  [
    'characters in a placeholder',
    150,
    (n) => select({ placeholder: plain(letters(n)) }),
    '/blocks/0/elements/0/placeholder/text',
  ],
  [
    'checkboxes',
    10,
    (n) => actions({ type: 'checkboxes', options: times(n, () => option()) }),
    '/blocks/0/elements/0/options',
  ],
  [
    'radio buttons',
    10,
    (n) => actions({ type: 'radio_buttons', options: times(n, () => option()) }),
    '/blocks/0/elements/0/options',
  ],
  [
    "characters in a confirmation's title",
    100,
    (n) => confirm({ title: plain(letters(n)) }),
    '/blocks/0/elements/0/confirm/title/text',
  ],
  [
    'characters in a confirmation',
    300,
    (n) => confirm({ text: plain(letters(n)) }),
    '/blocks/0/elements/0/confirm/text/text',
  ],
  [
    'characters on its button',
    30,
    (n) => confirm({ confirm: plain(letters(n)) }),
    '/blocks/0/elements/0/confirm/confirm/text',
  ],
  [
    "characters in an image's address",
    3000,
    (n) => [{ type: 'image', alt_text: 'a', image_url: letters(n) }],
    '/blocks/0/image_url',
  ],
  [
    "characters in an image's text",
    2000,
    (n) => [{ type: 'image', alt_text: letters(n), image_url: 'u' }],
    '/blocks/0/alt_text',
  ],
  ['rows of a table', 100, (n) => table(n, 1), '/blocks/0/rows'],
  ['cells of a row', 20, (n) => table(1, n), '/blocks/0/rows/0'],
  ['blocks of a message', 50, (n) => times(n, () => ({ type: 'divider' })), '/blocks'],
  ['characters in markdown', 12_000, (n) => [{ type: 'markdown', text: letters(n) }], '/blocks/0/text'],
  [
    "characters in an input's label",
    2000,
    (n) => input({ type: 'plain_text_input' }, { label: plain(letters(n)) }),
    '/blocks/0/label/text',
  ],
  [
    "characters in an input's hint",
    2000,
    (n) => input({ type: 'plain_text_input' }, { hint: plain(letters(n)) }),
    '/blocks/0/hint/text',
  ],
  [
    'characters to begin with',
    3000,
    (n) => input({ type: 'plain_text_input', initial_value: letters(n) }),
    '/blocks/0/element/initial_value',
  ],
];

type View = Record<string, unknown>;
const modal = (change: View) => ({ type: 'modal', title: plain('T'), submit: plain('Go'), blocks: [], ...change });

const VIEW_LIMITS: readonly [what: string, limit: number, (size: number) => View, pointer: string][] = [
  ['characters in a title', 24, (n) => modal({ title: plain(letters(n)) }), '/view/title/text'],
  ['characters on the submit button', 24, (n) => modal({ submit: plain(letters(n)) }), '/view/submit/text'],
  ['characters on the close button', 24, (n) => modal({ close: plain(letters(n)) }), '/view/close/text'],
  ['characters of private metadata', 3000, (n) => modal({ private_metadata: letters(n) }), '/view/private_metadata'],
  ['characters in a callback_id', 255, (n) => modal({ callback_id: letters(n) }), '/view/callback_id'],
  ['characters in an external_id', 255, (n) => modal({ external_id: letters(n) }), '/view/external_id'],
  ['blocks of a view', 100, (n) => modal({ blocks: times(n, () => ({ type: 'divider' })) }), '/view/blocks'],
];

describe('the limits of Block Kit', () => {
  let slack: LocalSlack;
  let client: WebClient;
  beforeAll(async () => {
    slack = await startSlack();
    client = clientOf(slack);
  });
  afterAll(() => slack.close());

  const post = (blocks: unknown) => client.apiCall('chat.postMessage', { channel: 'C0ONCALL', text: 't', blocks });
  const linesOf = (refusal: Record<string, unknown>) => Object(refusal.response_metadata).messages;

  it.each(MESSAGE_LIMITS)('takes as many %s as %i and refuses one more', async (_what, limit, blocksOf, pointer) => {
    expect(await post(blocksOf(limit))).toMatchObject({ ok: true });
    const refusal = await refusalOf(post(blocksOf(limit + 1)));
    expect(refusal.error).toBe('invalid_blocks');
    expect(linesOf(refusal)).toContainEqual(expect.stringContaining(`[json-pointer:${pointer}]`));
  });

  it.each(VIEW_LIMITS)('takes as many %s as %i and refuses one more', async (_what, limit, viewOf, pointer) => {
    expect(await client.apiCall('blocks.validate', { view: viewOf(limit) })).toMatchObject({ ok: true });
    const refusal = await refusalOf(client.apiCall('views.open', { trigger_id: 'x', view: viewOf(limit + 1) }));
    expect(refusal.error).toBe('invalid_arguments');
    expect(linesOf(refusal)).toContainEqual(expect.stringContaining(`[json-pointer:${pointer}]`));
  });

  it('refuses blocks whose JSON is longer than 13,200 characters, however few they are', async () => {
    const sections = (length: number) => times(5, () => ({ type: 'section', text: mrkdwn(letters(length)) }));
    const overhead = JSON.stringify(sections(0)).length;
    const fitting = Math.floor((13_200 - overhead) / 5);
    expect(await post(sections(fitting))).toMatchObject({ ok: true });
    expect(await refusalOf(post(sections(fitting + 1)))).toMatchObject({ error: 'msg_blocks_too_long' });
  });

  it.each<[what: string, blocks: unknown[], line: string]>([
    ['a section without text', [{ type: 'section' }], 'must define either `text` or `fields` [json-pointer:/blocks/0]'],
    [
      'an empty text',
      section({ text: plain('') }),
      'must be more than 0 characters [json-pointer:/blocks/0/text/text]',
    ],
    ['a block without type', [{}], 'missing required field: type [json-pointer:/blocks/0]'],
    ['a block that is a number', [1], 'must provide an object [json-pointer:/blocks/0]'],
    ['an unknown block', [{ type: 'toString' }], 'unsupported type: toString [json-pointer:/blocks/0/type]'],
    ['a field that does not exist', section({ txt: 1 }), 'invalid additional property: txt [json-pointer:/blocks/0]'],
    [
      'markup on a button',
      actions(button({ text: mrkdwn('x') })),
      'unsupported type: mrkdwn [json-pointer:/blocks/0/elements/0/text/type]',
    ],
    [
      'a text field in a row of buttons',
      actions({ type: 'plain_text_input' }),
      'unsupported type: plain_text_input [json-pointer:/blocks/0/elements/0/type]',
    ],
    [
      'an unknown style',
      actions(button({ style: 'red' })),
      'must be one of primary, danger [json-pointer:/blocks/0/elements/0/style]',
    ],
    [
      'a select without options',
      actions({ type: 'static_select' }),
      'must define either `options` or `option_groups` [json-pointer:/blocks/0/elements/0]',
    ],
    [
      'an initial option that is not offered',
      select({ initial_option: option({ value: '2' }) }),
      'initial option must match one of the options [json-pointer:/blocks/0/elements/0]',
    ],
    [
      'two blocks of one id',
      [...section({ block_id: 'a' }), ...section({ block_id: 'a' })],
      '`block_id` already exists [json-pointer:/blocks/1/block_id]',
    ],
    [
      'two buttons of one id',
      actions(button({ action_id: 'a' }), button({ action_id: 'a' })),
      '`action_id` already exists in this block [json-pointer:/blocks/0/elements/1/action_id]',
    ],
    [
      'rich text of an unknown part',
      [{ type: 'rich_text', elements: [{ type: 'rich_text_box' }] }],
      'unsupported type: rich_text_box [json-pointer:/blocks/0/elements/0/type]',
    ],
    [
      'markdown over 12,000 characters together',
      times(2, () => ({ type: 'markdown', text: letters(6001) })),
      'markdown must be less than 12001 characters in total [json-pointer:/blocks]',
    ],
  ])('refuses %s in Slack’s words', async (_what, blocks, line) => {
    const refusal = await refusalOf(post(blocks));
    expect(refusal).toMatchObject({ error: 'invalid_blocks', errors: expect.arrayContaining([line]) });
    expect(linesOf(refusal)).toContain(`[ERROR] ${line}`);
  });

  it('allows one table in a message', async () => {
    expect(await refusalOf(post([...table(1, 1), ...table(1, 1)]))).toMatchObject({ error: 'invalid_attachments' });
  });

  it('refuses what is not a list of blocks', async () => {
    expect(await refusalOf(post('{"type":'))).toMatchObject({ error: 'invalid_blocks_format' });
  });

  it('checks the blocks inside attachments', async () => {
    const attachments = [{ color: 'danger', blocks: [{ type: 'section' }] }];
    const refusal = await refusalOf(client.apiCall('chat.postMessage', { channel: 'C0ONCALL', attachments }));
    expect(refusal).toMatchObject({
      error: 'invalid_attachments',
      errors: ['must define either `text` or `fields` [json-pointer:/attachments/0/blocks/0]'],
    });
  });

  it.each<[what: string, view: View, line: string]>([
    [
      'a form without a submit button',
      { ...modal({ blocks: input({ type: 'plain_text_input' }) }), submit: undefined },
      'must define `submit` to use an `input` block in modals [json-pointer:/view]',
    ],
    [
      'what only messages can show',
      modal({ blocks: table(1, 1) }),
      'unsupported type: table [json-pointer:/view/blocks/0/type]',
    ],
    [
      'two focused fields',
      modal({ blocks: times(2, () => input({ type: 'plain_text_input', focus_on_load: true })).flat() }),
      'only one element may use `focus_on_load` [json-pointer:/view/blocks]',
    ],
  ])('refuses a view with %s', async (_what, view, line) => {
    const refusal = await refusalOf(client.apiCall('views.open', { trigger_id: 'x', view }));
    expect(refusal.error).toBe('invalid_arguments');
    expect(linesOf(refusal)).toEqual(
      expect.arrayContaining([expect.stringContaining('failed to match all allowed schemas'), `[ERROR] ${line}`]),
    );
  });

  it('says through blocks.validate what is wrong and where, without a token', async () => {
    const anonymous = clientOf(slack, '');
    expect(await anonymous.apiCall('blocks.validate', { blocks: section({}) })).toMatchObject({ ok: true });
    const refusal = await refusalOf(
      anonymous.apiCall('blocks.validate', { blocks: actions(button({ value: letters(2001) })) }),
    );
    expect(refusal).toMatchObject({
      error: 'invalid_blocks',
      errors: [
        {
          code: 'too_long',
          field: 'value',
          pointer: '/0/elements/0/value',
          constraint: { expected: ['<= 2000'], got: '2001' },
        },
      ],
    });
  });
});
