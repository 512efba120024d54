import type { BlockAction } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { botEachTest, slackEachTest } from '../local-slack.testing.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const CHANNEL = 'C0ONCALL';
const BUTTON = { type: 'button' as const, action_id: 'look_up', text: plain('Look up'), value: 'e1' };

describe('interactions with messages', () => {
  const slack = slackEachTest();
  const actions: BlockAction[] = [];
  const ann = () => slack.workspace.as('U0ANN');
  const app = botEachTest(slack, (bot) => {
    bot.action<BlockAction>(/./, async ({ ack, body }) => {
      actions.push(body);
      await ack();
    });
  });
  const postToAnnAlone = async () => {
    const blocks = [{ type: 'actions' as const, elements: [BUTTON] }];
    const { message_ts: ts = '' } = await app().client.chat.postEphemeral({
      channel: CHANNEL,
      user: 'U0ANN',
      text: 'psst',
      blocks,
    });
    return ts;
  };

  test('leave the message out if it is ephemeral', async () => {
    const ts = await postToAnnAlone();
    await ann().clicks({ channel: CHANNEL, ts }, { text: 'Look up' });
    expect(actions[0]).toMatchObject({ container: { is_ephemeral: true }, actions: [{ value: 'e1' }] });
    expect(actions[0]).not.toHaveProperty('message');
  });

  test('reach only messages that the person sees', async () => {
    const ts = await postToAnnAlone();
    expect(() => slack.workspace.as('U0BEN').clicks({ channel: CHANNEL, ts }, { text: 'Look up' })).toThrow(
      /ben doesn't see/,
    );
    const shortcut = slack.workspace.as('U0BEN').choosesMessageShortcut('look_up_notification', CHANNEL, ts);
    expect(await shortcut).toMatchObject({ ok: false, error: 'message_not_found' });
  });
});
