import type { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalSlack } from '../server.ts';
import { clientOf, refusalOf, startSlack } from '../testing.ts';
import {
  actions,
  button,
  chart,
  input,
  modal,
  mrkdwn,
  option,
  picture,
  plain,
  richText,
  section,
  segments,
  select,
  table,
  times,
  type View,
} from './sample-blocks.testing.ts';

describe('Block Kit validation', () => {
  let slack: LocalSlack;
  let client: WebClient;
  beforeAll(async () => {
    slack = await startSlack();
    client = clientOf(slack);
  });
  afterAll(() => slack.close());

  const post = (blocks: unknown) => client.apiCall('chat.postMessage', { channel: 'C0ONCALL', text: 't', blocks });
  const linesOf = (refusal: Record<string, unknown>) => Object(refusal.response_metadata).messages;

  test.each<[what: string, blocks: unknown[], line: string]>([
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
      'must be a valid enum value [json-pointer:/blocks/0/elements/0/style]',
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
      '`block_id` "a" already exists [json-pointer:/blocks/1/block_id]',
    ],
    [
      'two buttons of one id',
      actions(button({ action_id: 'a' }), button({ action_id: 'a' })),
      '`action_id` "a" already exists [json-pointer:/blocks/0/elements/1/action_id]',
    ],
    [
      'rich text of an unknown part',
      [{ type: 'rich_text', elements: [{ type: 'rich_text_box' }] }],
      'unsupported type: rich_text_box [json-pointer:/blocks/0/elements/0/type]',
    ],
    [
      'a mention in preformatted text',
      richText({ type: 'rich_text_preformatted', elements: [{ type: 'user', user_id: 'U0ANN' }] }),
      'unsupported type: user [json-pointer:/blocks/0/elements/0/elements/0/type]',
    ],
    [
      'a thick border',
      richText({ type: 'rich_text_quote', elements: [], border: 2 }),
      'must be a valid enum value [json-pointer:/blocks/0/elements/0/border]',
    ],
    [
      'options beside groups of them',
      select({ option_groups: [{ label: plain('G'), options: [option()] }] }),
      'must define only one of `options`, `option_groups` [json-pointer:/blocks/0/elements/0]',
    ],
    [
      'a picture of two sources',
      [picture({ slack_file: { id: 'F1' } })],
      'must define only one of `image_url`, `slack_file` [json-pointer:/blocks/0]',
    ],
    [
      'a filter that filters nothing',
      actions({ type: 'conversations_select', filter: {} }),
      'must define either `include` or `exclude_external_shared_channels` or `exclude_bot_users` [json-pointer:/blocks/0/elements/0/filter]',
    ],
    [
      'a segment of nothing',
      chart({ chart: { type: 'pie', segments: segments(1, { value: 0 }) } }),
      'must be more than 0 [json-pointer:/blocks/0/chart/segments/0/value]',
    ],
    [
      'half a level',
      [{ type: 'header', text: plain('x'), level: 1.5 }],
      'must provide an integer [json-pointer:/blocks/0/level]',
    ],
  ])('refuses %s in Slack’s words', async (_what, blocks, line) => {
    const refusal = await refusalOf(post(blocks));
    expect(refusal).toMatchObject({ error: 'invalid_blocks', errors: expect.arrayContaining([line]) });
    expect(linesOf(refusal)).toContain(`[ERROR] ${line}`);
  });

  test('refuses what is not a list of blocks', async () => {
    expect(await refusalOf(post('{"type":'))).toMatchObject({ error: 'invalid_blocks_format' });
  });

  test('checks the blocks inside attachments', async () => {
    const attachments = [{ color: 'danger', blocks: [{ type: 'section' }] }];
    const refusal = await refusalOf(client.apiCall('chat.postMessage', { channel: 'C0ONCALL', attachments }));
    expect(refusal).toMatchObject({
      error: 'invalid_attachments',
      errors: ['must define either `text` or `fields` [json-pointer:/attachments/0/blocks/0]'],
    });
  });

  test.each<[what: string, view: View, line: string]>([
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
});
