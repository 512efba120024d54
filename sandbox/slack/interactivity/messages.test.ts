import type { App, BlockAction } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { botOf, startSlack } from '../local-slack.testing.ts';
import type { LocalSlack } from '../server.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const CHANNEL = 'C0ONCALL';
const BUTTON = { type: 'button' as const, action_id: 'look_up', text: plain('Look up'), value: 'e1' };
describe('interactions with messages', () => {
  let slack: LocalSlack;
  let app: App;
  let actions: BlockAction[];
  const ann = () => slack.workspace.as('U0ANN');

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
});
