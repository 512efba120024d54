import type { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalSlack } from '../server.ts';
import { clientOf, refusalOf, startSlack } from '../testing.ts';
import { actions, button, letters, modal, ofType, section, smallestBlocks } from '../validate/sample-blocks.ts';

describe('blocks.validate', () => {
  let slack: LocalSlack;
  let anonymous: WebClient;
  beforeAll(async () => {
    slack = await startSlack();
    anonymous = clientOf(slack, '');
  });
  afterAll(() => slack.close());

  const validate = (args: Record<string, unknown>) => anonymous.apiCall('blocks.validate', args);

  test.each([
    ['blocks', { blocks: section() }],
    ['a message', { message: { text: 't', blocks: section(), attachments: [{ color: 'danger', blocks: section() }] } }],
    ['a message without text', { message: { blocks: section() } }],
    ['a view', { view: modal({ blocks: [ofType('alert', smallestBlocks)] }) }],
    ['a Home tab', { view: { type: 'home', blocks: section() } }],
  ])('accepts %s, and needs no token', async (_what, args) => {
    expect(await validate(args)).toMatchObject({ ok: true });
  });

  test('reports what is wrong and where, and what was expected', async () => {
    expect(await refusalOf(validate({ blocks: actions(button({ value: letters(2001) })) }))).toMatchObject({
      error: 'invalid_blocks',
      errors: [
        {
          code: 'too_long',
          message: 'must be less than 2001 characters',
          field: 'value',
          pointer: '/0/elements/0/value',
          constraint: { type: 'too_long', expected: ['<= 2000'], got: '2001' },
        },
      ],
    });
  });

  test('reports all problems', async () => {
    const blocks = [
      { type: 'section' },
      { type: 'divider', colour: 'red' },
      { type: 'header', text: { type: 'mrkdwn' } },
    ];
    expect(await refusalOf(validate({ blocks }))).toMatchObject({
      errors: [
        { code: 'missing_field', pointer: '/0', message: 'must define either `text` or `fields`' },
        { code: 'unknown_field', pointer: '/1', message: 'invalid additional property: colour' },
        { code: 'unsupported_type', pointer: '/2/text/type', constraint: { expected: ['plain_text'], got: 'mrkdwn' } },
      ],
    });
  });

  test('has pointers from the beginning of the message or view', async () => {
    const attachments = [{ blocks: section({ text: 1 }) }];
    expect(await refusalOf(validate({ message: { attachments } }))).toMatchObject({
      errors: [{ code: 'invalid_type', pointer: '/attachments/0/blocks/0/text', field: 'text' }],
    });
    expect(await refusalOf(validate({ view: modal({ blocks: section({ expand: 'no' }) }) }))).toMatchObject({
      errors: [{ message: 'must provide a boolean', pointer: '/blocks/0/expand' }],
    });
  });

  test.each([
    ['nothing', {}],
    ['two things', { blocks: section(), view: modal({}) }],
  ])('refuses %s', async (_what, args) => {
    expect(await refusalOf(validate(args))).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: { messages: ['[ERROR] must provide exactly one of blocks, message, view'] },
    });
  });
});
