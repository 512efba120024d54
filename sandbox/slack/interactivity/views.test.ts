import type { BlockAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { describe, expect, test } from 'vitest';
import { botEachTest, slackEachTest } from '../local-slack.testing.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });

const FORM: ModalView = {
  type: 'modal',
  title: plain('A form'),
  blocks: [{ type: 'actions', elements: [{ type: 'button', action_id: 'push', text: plain('More') }] }],
};

describe('views', () => {
  const slack = slackEachTest({ now: () => 1_700_000_000_000 });
  const ann = () => slack.workspace.as('U0ANN');
  const open = () => ann().choosesShortcut('find_notification');
  const top = () => slack.workspace.until(() => ann().view(), { what: 'a view' });

  botEachTest(slack, (bot) => {
    bot.shortcut('find_notification', async ({ ack, client, shortcut }) => {
      await ack();
      await client.views.open({ trigger_id: shortcut.trigger_id, view: FORM });
    });
    bot.action<BlockAction>('push', async ({ ack, client, body }) => {
      await ack();
      await client.views.push({ trigger_id: body.trigger_id, view: FORM });
    });
  });

  test('stack up to three, and refuse the fourth', async () => {
    await open();
    await top();
    for (const count of [2, 3]) {
      await ann().clicks({ viewId: (await top()).id }, { text: 'More' });
      await slack.workspace.until(() => ann().views().length === count, { what: `view ${count}` });
    }
    await ann().clicks({ viewId: (await top()).id }, { text: 'More' });
    const call = await slack.workspace.until(() => slack.calls.of('views.push')[2], { what: 'the third push' });
    expect(call.answer).toMatchObject({ ok: false, error: 'push_limit_reached' });
  });
});
