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
const SELECT = {
  type: 'static_select' as const,
  action_id: 'range',
  options: [
    { text: plain('Last hour'), value: '1h' },
    { text: plain('Last day'), value: '1d' },
  ],
};

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
        user: { id: 'U0ANN', username: 'ann' },
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

  test('send the state of every element along with a choice', async () => {
    const ts = await post([{ type: 'actions', block_id: 'filter', elements: [SELECT, BUTTON] }]);
    await ann().picks({ channel: CHANNEL, ts }, { actionId: 'range' }, 'Last day');
    expect(actions[0]).toMatchObject({
      actions: [{ type: 'static_select', selected_option: { value: '1d' } }],
      state: { values: { filter: { range: { selected_option: { value: '1d' } } } } },
    });
  });

  test('find a button among similar ones by text near it', async () => {
    const section = (id: string) => ({
      type: 'section',
      text: plain(`group ${id}`),
      accessory: { ...BUTTON, value: id },
    });
    const ts = await post([section('g1'), section('g2')]);
    await ann().clicks({ channel: CHANNEL, ts }, { text: 'Look up', near: 'group g2' });
    expect(actions[0]?.actions).toMatchObject([{ value: 'g2' }]);
  });

  test('list the existing labels if a person looks for another one', async () => {
    const ts = await post([ROW]);
    expect(() => ann().clicks({ channel: CHANNEL, ts }, { text: 'Refresh' })).toThrow(/· Acknowledge/);
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

  test('include commands in channels without the bot', async () => {
    app.command('/notif', ({ ack }) => ack('only for you'));
    expect(await ann().types('C0QUIET', '/notif help')).toMatchObject({ ok: true });
    expect(ann().sees('C0QUIET')).toMatchObject([{ text: 'only for you', onlyVisibleTo: 'U0ANN' }]);
  });
});
