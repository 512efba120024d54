import type { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalSlack } from '../server.ts';
import { clientOf, refusalOf, startSlack } from '../testing.ts';
import {
  actions,
  type Block,
  button,
  confirm,
  input,
  letters,
  modal,
  mrkdwn,
  option,
  plain,
  section,
  select,
  table,
  times,
  type View,
} from './sample-blocks.ts';

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
});
