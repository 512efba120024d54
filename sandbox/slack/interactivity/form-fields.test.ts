import type { SlackViewAction } from '@slack/bolt';
import type { InputBlock, ModalView } from '@slack/types';
import { describe, expect, test } from 'vitest';
import { botEachTest, slackEachTest } from '../local-slack.testing.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const option = (name: string) => ({ text: plain(name), value: name });
const input = (label: string, element: InputBlock['element']): InputBlock => ({
  type: 'input',
  block_id: label,
  optional: true,
  label: plain(label),
  element: { ...element, action_id: 'it' },
});

const options = ['production', 'staging', 'review'].map(option);
const WATCH: ModalView = {
  type: 'modal',
  callback_id: 'watch',
  title: plain('A watch'),
  submit: plain('Save'),
  blocks: [
    input('Owner', { type: 'users_select' }),
    input('Environment', { type: 'radio_buttons', options }),
    input('Verdicts', { type: 'checkboxes', options }),
    input('Tags', { type: 'multi_static_select', options }),
    input('Comment', { type: 'plain_text_input' }),
  ],
};

describe('the fields of a form', () => {
  const slack = slackEachTest();
  let submitted: SlackViewAction | undefined;
  const ann = () => slack.workspace.as('U0ANN');

  const app = botEachTest(slack, (bot) => {
    bot.shortcut('find_notification', async ({ ack, client, shortcut }) => {
      await ack();
      await client.views.open({ trigger_id: shortcut.trigger_id, view: WATCH });
    });
    bot.view('watch', async ({ ack, body }) => {
      submitted = body;
      await ack();
    });
  });

  const form = async () => {
    await ann().choosesShortcut('find_notification');
    return (await slack.workspace.until(() => ann().view(), { what: 'the form' })).id;
  };
  const values = () =>
    Object.fromEntries(
      Object.entries(submitted?.view.state.values ?? {}).map(([label, { it: value }]) => [label, value]),
    );

  test('forget what was typed once a redrawn form has no such field', async () => {
    const id = await form();
    await ann().fillsIn(id, { Environment: 'staging', Comment: 'typed' });
    await app().client.views.update({ view_id: id, view: { ...WATCH, blocks: WATCH.blocks.slice(0, 4) } });
    await ann().fillsIn(id, { Tags: ['review'] });
    await app().client.views.update({ view_id: id, view: WATCH });
    await ann().submits(id);
    expect(values()).toMatchObject({
      Environment: { selected_option: { value: 'staging' } },
      Tags: { selected_options: [{ value: 'review' }] },
      Comment: { value: null },
    });
  });

  test('are checked before the bot gets the form', async () => {
    submitted = undefined;
    const id = await form();
    await ann().fillsIn(id, { Comment: 'x'.repeat(3_001) });
    expect(await ann().submits(id)).toMatchObject({ ok: false, errors: { Comment: 'Use at most 3000 characters.' } });
    expect(submitted).toBeUndefined();
  });
});
