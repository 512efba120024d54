import type { App, BlockAction } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LocalSlack } from '../server.ts';
import { botOf, startSlack } from '../testing.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn' as const, text });
const button = (text: string) => ({ type: 'button' as const, text: plain(text), value: text });

const blocks: KnownBlock[] = [
  {
    type: 'context_actions',
    elements: [
      {
        type: 'feedback_buttons',
        action_id: 'helpful',
        positive_button: { text: plain('👍'), value: 'yes' },
        negative_button: { text: plain('👎'), value: 'no' },
      },
      { type: 'icon_button', icon: 'trash', text: plain('Delete'), value: 'answer_1' },
    ],
  },
  {
    type: 'carousel',
    elements: [
      { type: 'card', block_id: 'first', title: mrkdwn('One'), actions: [button('Open')] },
      { type: 'card', title: mrkdwn('Two'), actions: [button('Close')] },
    ],
  },
  {
    type: 'container',
    title: plain('Inside'),
    child_blocks: [{ type: 'actions', elements: [button('Deep')] }],
  },
];

describe("the newer blocks' elements", () => {
  let slack: LocalSlack;
  let app: App;
  let heard: BlockAction | undefined;
  const channel = 'C0ONCALL';

  beforeEach(async () => {
    slack = await startSlack();
    app = botOf(slack);
    app.action(/.*/, async ({ ack, body }) => {
      heard = body.type === 'block_actions' ? body : undefined;
      await ack();
    });
    await app.start();
  });
  afterEach(async () => {
    await app.stop();
    await slack.close();
  });

  test.each([
    ['👎', { type: 'feedback_buttons', action_id: 'helpful', value: 'no', text: plain('👎') }],
    ['Delete', { type: 'icon_button', icon: 'trash', value: 'answer_1', text: plain('Delete') }],
    ['Open', { type: 'button', block_id: 'first', value: 'Open' }],
    ['Close', { type: 'button', block_id: expect.any(String), action_id: expect.any(String) }],
    ['Deep', { type: 'button', value: 'Deep' }],
  ])('report what was pressed: %s', async (label, action) => {
    const { ts = '' } = await app.client.chat.postMessage({ channel, text: 'look', blocks });
    const answer = await slack.workspace.as('U0ANN').clicks({ channel, ts }, { text: label });
    expect(answer).toMatchObject({ ok: true });
    expect(heard?.actions).toMatchObject([action]);
  });

  test('report which attachment they are in', async () => {
    const attachments = [{ blocks: [{ type: 'divider' }] }, { blocks }];
    const { ts = '' } = await app.client.chat.postMessage({ channel, text: 'look', attachments });
    await slack.workspace.as('U0ANN').clicks({ channel, ts }, { text: 'Deep' });
    expect(heard?.container).toMatchObject({ type: 'message_attachment', attachment_id: 2 });
  });
});
