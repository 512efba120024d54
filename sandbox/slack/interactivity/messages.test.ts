import type { App, BlockAction } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { stringIn } from '../json.ts';
import { botOf, startSlack } from '../local-slack.testing.ts';
import type { LocalSlack } from '../server.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const CHANNEL = 'C0ONCALL';
const ROW = {
  type: 'section' as const,
  block_id: 'row',
  text: plain('order-shipped'),
  accessory: {
    type: 'overflow' as const,
    action_id: 'row_menu',
    options: [
      { text: plain('Acknowledge'), value: 'ack:g1' },
      { text: plain('Mute…'), value: 'mute:g1' },
    ],
  },
};
const BUTTON = { type: 'button' as const, action_id: 'look_up', text: plain('Look up'), value: 'e1' };
describe('interactions with messages', () => {
  let slack: LocalSlack;
  let app: App;
  let actions: BlockAction[];
  const ann = () => slack.workspace.as('U0ANN');
  const post = async (blocks: object[]) =>
    stringIn(await app.client.apiCall('chat.postMessage', { channel: CHANNEL, text: 'a digest', blocks }), 'ts') ?? '';

  beforeEach(async () => {
    slack = await startSlack();
    app = botOf(slack);
    actions = [];
    app.action<BlockAction>(/./, async ({ ack, body }) => {
      actions.push(body);
      await ack();
    });
    await app.start();
  });
  afterEach(async () => {
    await app.stop();
    await slack.close();
  });

  test('click a menu entry by its label', async () => {
    const ts = await post([ROW]);
    expect(await ann().clicks({ channel: CHANNEL, ts }, { text: 'Mute…' })).toMatchObject({ ok: true });
    expect(actions).toMatchObject([
      {
        type: 'block_actions',
        user: { id: 'U0ANN' },
        channel: { id: CHANNEL, name: 'oncall' },
        container: { type: 'message', message_ts: ts, is_ephemeral: false },
        message: { ts, text: 'a digest' },
        response_url: expect.stringContaining(slack.url),
        trigger_id: expect.any(String),
        actions: [
          {
            type: 'overflow',
            block_id: 'row',
            action_id: 'row_menu',
            action_ts: expect.any(String),
            selected_option: { value: 'mute:g1' },
          },
        ],
      },
    ]);
  });

  test('leave the message out of a click on an ephemeral one', async () => {
    const { message_ts: ts = '' } = await app.client.chat.postEphemeral({
      channel: CHANNEL,
      user: 'U0ANN',
      text: 'psst',
      blocks: [{ type: 'actions', elements: [BUTTON] }],
    });
    await ann().clicks({ channel: CHANNEL, ts }, { text: 'Look up' });
    expect(actions[0]).toMatchObject({ container: { is_ephemeral: true }, actions: [{ value: 'e1' }] });
    expect(actions[0]).not.toHaveProperty('message');
  });

  test('include message shortcuts, which bring the message', async () => {
    const heard = new Promise((resolve) => {
      app.shortcut('look_up_notification', async ({ ack, body }) => {
        await ack();
        resolve(body);
      });
    });
    await slack.workspace.as('U0BEN').types(CHANNEL, 'did txn_1 arrive?');
    const [said] = ann().sees(CHANNEL);
    expect(await ann().choosesMessageShortcut('look_up_notification', CHANNEL, said?.ts ?? '')).toMatchObject({
      ok: true,
    });
    expect(await heard).toMatchObject({
      type: 'message_action',
      message: { user: 'U0BEN', text: 'did txn_1 arrive?' },
      channel: { id: CHANNEL, name: 'oncall' },
      response_url: expect.any(String),
    });
  });

  test('reach only messages that the person sees', async () => {
    const { message_ts: ts = '' } = await app.client.chat.postEphemeral({
      channel: CHANNEL,
      user: 'U0ANN',
      text: 'psst',
      blocks: [{ type: 'actions', elements: [BUTTON] }],
    });
    expect(() => slack.workspace.as('U0BEN').clicks({ channel: CHANNEL, ts }, { text: 'Look up' })).toThrow(
      /ben doesn't see/,
    );
    const shortcut = slack.workspace.as('U0BEN').choosesMessageShortcut('look_up_notification', CHANNEL, ts);
    expect(await shortcut).toMatchObject({ ok: false, error: 'message_not_found' });
  });

  test.each([
    ['a command that the manifest lacks', () => ann().types(CHANNEL, '/other'), 'invalid_command'],
    ['a shortcut that the manifest lacks', () => ann().choosesShortcut('other'), 'unknown_shortcut'],
    ['a channel that one is not in', () => ann().types('C0NOWHERE', '/notif'), 'channel_not_found'],
  ])('refuse %s', async (_what, act, error) => {
    expect(await act()).toMatchObject({ ok: false, error });
  });
});
