import type { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalSlack } from '../server.ts';
import { clientOf, refusalOf, startSlack } from '../testing.ts';
import { letters, mrkdwn, section, table, times } from './sample-blocks.testing.ts';

type Call = Record<string, unknown>;

/** Each limit with a call of a given size, and Slack's refusal of a larger one. */
const LIMITS: readonly [what: string, method: string, limit: number, (size: number) => Call, refusal: Call][] = [
  [
    'blocks',
    'chat.postMessage',
    50,
    (n) => ({ blocks: times(n, () => ({ type: 'divider' })) }),
    { error: 'invalid_blocks' },
  ],
  [
    'characters in all blocks',
    'chat.postMessage',
    13_200,
    (n) => ({ blocks: sized(n) }),
    { error: 'msg_blocks_too_long' },
  ],
  [
    'characters in the blocks of attachments',
    'chat.postMessage',
    13_200,
    (n) => ({ attachments: [{ blocks: sized(n - '[]'.length) }] }),
    { error: 'msg_blocks_too_long' },
  ],
  [
    'attachments',
    'chat.postMessage',
    100,
    (n) => ({ attachments: times(n, () => ({ text: 'a' })) }),
    { error: 'too_many_attachments' },
  ],
  [
    'characters in all attachments',
    'chat.postMessage',
    100_000,
    (n) => ({ attachments: [{ text: letters(n - '[{"text":""}]'.length) }] }),
    { error: 'attachment_payload_limit_exceeded' },
  ],
  [
    "characters in an attachment's footer",
    'chat.postMessage',
    300,
    (n) => ({ attachments: [{ footer: letters(n) }] }),
    invalidAttachment('must be less than 301 characters [json-pointer:/attachments/0/footer]'),
  ],
  [
    "actions of an attachment's own kind",
    'chat.postMessage',
    5,
    (n) => ({ attachments: [{ actions: times(n, () => ({ type: 'button', name: 'a', text: 'Go' })) }] }),
    invalidAttachment('no more than 5 items allowed [json-pointer:/attachments/0/actions]'),
  ],
  [
    "blocks of an attachment, beside the message's own",
    'chat.postMessage',
    50,
    (n) => ({
      blocks: times(50, () => ({ type: 'divider' })),
      attachments: [{ blocks: times(n, () => ({ type: 'divider' })) }],
    }),
    invalidAttachment('no more than 50 items allowed [json-pointer:/attachments/0/blocks]'),
  ],
  [
    'characters of markdown',
    'chat.postMessage',
    12_000,
    (n) => ({ markdown_text: letters(n) }),
    { error: 'msg_too_long' },
  ],
  [
    'bytes of metadata',
    'chat.postMessage',
    16_000,
    (n) => ({ text: 't', metadata: metadata(n) }),
    { error: 'metadata_too_large' },
  ],
  [
    'characters whispered',
    'chat.postEphemeral',
    40_000,
    (n) => ({ user: 'U0ANN', text: letters(n) }),
    { error: 'msg_too_long' },
  ],
];

/** Returns blocks with this many characters of JSON. */
function sized(size: number) {
  const blocks = (rest: number) => [
    ...times(5, () => section({ text: mrkdwn(letters(2500)) })).flat(),
    ...section({ text: mrkdwn(letters(rest)) }),
  ];
  return blocks(size - JSON.stringify(blocks(0)).length);
}

function metadata(bytes: number) {
  const of = (id: string) => ({ event_type: 'digest', event_payload: { id } });
  return of(letters(bytes - JSON.stringify(of('')).length));
}

function invalidAttachment(line: string) {
  return { error: 'invalid_attachments', errors: [line], response_metadata: { messages: [`[ERROR] ${line}`] } };
}

describe('the limits of messages', () => {
  let slack: LocalSlack;
  let client: WebClient;
  beforeAll(async () => {
    slack = await startSlack();
    client = clientOf(slack);
  });
  afterAll(() => slack.close());

  test.each(LIMITS)('allow at most this many %s by %s: %i', async (_what, method, limit, callOf, refusal) => {
    const call = (size: number) => client.apiCall(method, { channel: 'C0ONCALL', ...callOf(size) });
    expect(await call(limit)).toMatchObject({ ok: true });
    expect(await refusalOf(call(limit + 1))).toMatchObject(refusal);
  });

  test('apply to an update as well', async () => {
    const { ts } = await client.chat.postMessage({ channel: 'C0ONCALL', text: 't' });
    const update = (blocks: unknown[]) => client.apiCall('chat.update', { channel: 'C0ONCALL', ts, text: 't', blocks });
    expect(await update(section({ block_id: letters(255) }))).toMatchObject({ ok: true });
    expect(await refusalOf(update(section({ block_id: letters(256) })))).toMatchObject({
      error: 'invalid_blocks',
      errors: ['must be less than 256 characters [json-pointer:/blocks/0/block_id]'],
    });
  });

  test('have a word of their own for a second table', async () => {
    const call = client.apiCall('chat.postMessage', { channel: 'C0ONCALL', blocks: [...table(1, 1), ...table(1, 1)] });
    expect(await refusalOf(call)).toMatchObject({
      error: 'invalid_attachments',
      response_metadata: { messages: ['only_one_table_allowed'] },
    });
  });
});
