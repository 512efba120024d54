import type { App } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LocalSlack } from '../server.ts';
import { botOf, startSlack } from '../testing.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const LABEL = 'Fast & <cheap>';
const ECHO = 'Fast &amp; &lt;cheap&gt;';
const button = { type: 'button' as const, action_id: 'go', text: plain(LABEL), value: 'a & b' };
const select = {
  type: 'static_select' as const,
  action_id: 'choice',
  options: [{ text: plain(LABEL), value: 'a & b' }],
};
const BLOCKS = [
  { type: 'section' as const, text: { type: 'mrkdwn' as const, text: '<https://a.test|a & b> &amp; c' } },
  { type: 'actions' as const, elements: [button, select] },
];
const SHOWN = [
  { text: { text: '<https://a.test|a &amp; b> &amp; c' } },
  { elements: [{ text: { text: ECHO }, value: 'a & b' }, { options: [{ text: { text: ECHO }, value: 'a & b' }] }] },
];

describe('texts that Slack echoes to apps', () => {
  let slack: LocalSlack;
  let app: App;
  const ann = () => slack.workspace.as('U0ANN');

  beforeEach(async () => {
    slack = await startSlack();
    app = botOf(slack);
    await app.start();
  });
  afterEach(async () => {
    await app.stop();
    await slack.close();
  });

  test.each([
    ['a button', { text: LABEL }, { text: { text: ECHO }, value: 'a & b' }],
    ['a select', { actionId: 'choice' }, { selected_option: { text: { text: ECHO }, value: 'a & b' } }],
  ])('have escapes in the action and the message of %s', async (_what, target, action) => {
    const heard = new Promise((resolve) => {
      app.action(/go|choice/, async ({ ack, body }) => {
        await ack();
        resolve(body);
      });
    });
    const { ts = '', message } = await app.client.chat.postMessage({
      channel: 'C0ONCALL',
      text: 'a & b',
      blocks: BLOCKS,
    });
    expect(message).toMatchObject({ text: 'a & b', blocks: SHOWN });
    const spot = { channel: 'C0ONCALL', ts };
    await ('text' in target ? ann().clicks(spot, target) : ann().picks(spot, target, LABEL));
    expect(await heard).toMatchObject({ actions: [action], message: { blocks: SHOWN } });
  });

  test('have escapes in a view and its choices, but not in what was typed', async () => {
    const view = {
      type: 'modal' as const,
      title: plain(LABEL),
      submit: plain('Send'),
      callback_id: 'form',
      blocks: [
        { type: 'input' as const, block_id: 'choice', label: plain(LABEL), element: select },
        {
          type: 'input' as const,
          block_id: 'note',
          label: plain('Note'),
          element: { type: 'plain_text_input' as const, action_id: 'it' },
        },
      ],
    };
    app.shortcut('find_notification', async ({ ack, client, shortcut }) => {
      await ack();
      await client.views.open({ trigger_id: shortcut.trigger_id, view });
    });
    const heard = new Promise((resolve) => {
      app.view('form', async ({ ack, body }) => {
        await ack();
        resolve(body.view);
      });
    });
    await ann().choosesShortcut('find_notification');
    const { id } = await slack.workspace.until(() => ann().view(), { what: 'the form' });
    await ann().fillsIn(id, { [LABEL]: LABEL, Note: LABEL });
    await ann().submits(id);
    expect(await heard).toMatchObject({
      title: { text: ECHO },
      blocks: [{ label: { text: ECHO } }, {}],
      state: {
        values: { choice: { choice: { selected_option: { text: { text: ECHO } } } }, note: { it: { value: LABEL } } },
      },
    });
  });

  test('are shown as they were when an app sends the echo again', async () => {
    const { ts = '', message } = await app.client.chat.postMessage({ channel: 'C0ONCALL', text: 't', blocks: BLOCKS });
    const again = await app.client.chat.update({
      channel: 'C0ONCALL',
      ts,
      text: 't',
      blocks: message?.blocks as typeof BLOCKS,
    });
    expect(again.message).toMatchObject({ blocks: SHOWN });
  });
});
