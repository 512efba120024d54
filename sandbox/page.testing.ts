import { App, type BlockAction, type ButtonAction, LogLevel, type ViewStateValue } from '@slack/bolt';
import type { InputBlock, ModalView } from '@slack/types';
import type { LocalSlack } from './slack/server.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const option = (name: string) => ({ text: plain(name), value: name });

const digest = [
  { type: 'section' as const, text: { type: 'mrkdwn' as const, text: '*SendGrid* refused &lt;!channel&gt;' } },
  {
    type: 'actions' as const,
    elements: [
      { type: 'button' as const, action_id: 'look_up', text: plain('Look up'), value: 'txn_1' },
      {
        type: 'button' as const,
        action_id: 'send_again',
        text: plain('Send again'),
        confirm: { title: plain('Send again?'), text: plain('It is real.'), confirm: plain('Yes'), deny: plain('No') },
      },
    ],
  },
];

const field = (label: string, element: InputBlock['element']): InputBlock => ({
  ...{ type: 'input', block_id: label, label: plain(label), element: { ...element, action_id: 'it' } },
});

/** A form with fields that are operated in different ways. */
const watch: ModalView = {
  type: 'modal',
  callback_id: 'watch',
  title: plain('A watch'),
  submit: plain('Send'),
  blocks: [
    field('Scope', {
      type: 'static_select',
      options: ['Production', 'Staging'].map(option),
      initial_option: option('Production'),
    }),
    field('Environment', { type: 'static_select', options: ['Production', 'Staging'].map(option) }),
    field('Owners', { type: 'multi_static_select', options: ['ann', 'ben'].map(option) }),
    field('Verdicts', { type: 'checkboxes', options: ['Bounced', 'Failed'].map(option) }),
  ],
};

/** Creates a small bot that answers each interaction with text for a test to check. */
export function createBot({ apiUrl, botToken, appToken }: LocalSlack) {
  const app = new App({
    token: botToken,
    appToken,
    socketMode: true,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: apiUrl },
  });
  app.command('/notif', async ({ ack, client, command }) => {
    await ack();
    const { channel_id: channel, trigger_id, text } = command;
    if (text === 'watch') await client.views.open({ trigger_id, view: watch });
    else await client.chat.postMessage({ channel, text, blocks: digest });
  });
  app.view('watch', async ({ ack, view, client }) => {
    await ack();
    const values = Object.values(view.state.values).map(({ it }) => it);
    await client.chat.postMessage({ channel: 'C0ONCALL', text: values.map(wordsOf).join(', ') });
  });
  app.action<BlockAction<ButtonAction>>(/look_up|send_again/, async ({ ack, respond, action }) => {
    await ack();
    await respond({ text: `pressed ${action.action_id}`, replace_original: false });
  });
  app.event('app_home_opened', async ({ event, client }) => {
    if (event.tab === 'home') await client.views.publish({ user_id: event.user, view: homeSaying('All is well') });
  });
  app.action<BlockAction>('refresh', async ({ ack, client, body }) => {
    await ack();
    await client.views.publish({ user_id: body.user.id, view: homeSaying('Still well') });
  });
  return app;
}

function wordsOf(state: ViewStateValue | undefined): string {
  const options = [state?.selected_option, ...(state?.selected_options ?? [])];
  return options.flatMap((each) => each?.value ?? []).join('+');
}

function homeSaying(text: string) {
  const refresh = { type: 'button' as const, action_id: 'refresh', text: plain('Refresh') };
  return {
    type: 'home' as const,
    blocks: [
      { type: 'header' as const, text: plain(text) },
      { type: 'actions' as const, elements: [refresh] },
    ],
  };
}
