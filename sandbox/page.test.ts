import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App, type BlockAction, type ButtonAction, LogLevel, type OverflowAction } from '@slack/bolt';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser } from '../test/support/browser.ts';
import { buildPage } from './build-page.ts';
import type { LocalSlack } from './slack/server.ts';
import { startSlackWith } from './slack/testing.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
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
      { type: 'overflow' as const, action_id: 'more', options: [option('Acknowledge'), option('Mute')] },
    ],
  },
];

const form = {
  type: 'modal' as const,
  callback_id: 'send_test',
  title: plain('Send a test'),
  submit: plain('Send'),
  blocks: [
    {
      type: 'input' as const,
      block_id: 'workflow',
      label: plain('Workflow'),
      element: { type: 'external_select' as const, action_id: 'workflow', min_query_length: 2 },
    },
    {
      type: 'input' as const,
      block_id: 'to',
      label: plain('Subscribers'),
      element: { type: 'plain_text_input' as const, action_id: 'to', multiline: true },
    },
  ],
};

/** The form with a question above it, which it gives the focus. */
const askingForSure = {
  ...form,
  blocks: [
    {
      type: 'input' as const,
      block_id: 'sure',
      label: plain('Are you sure?'),
      element: { type: 'plain_text_input' as const, action_id: 'sure', focus_on_load: true },
    },
    ...form.blocks,
  ],
};

/** A small bot that answers each gesture in words that a test can see. */
function createBot({ apiUrl, botToken, appToken }: LocalSlack) {
  const app = new App({
    token: botToken,
    appToken,
    socketMode: true,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: apiUrl },
  });
  app.command('/notif', async ({ ack, client, command }) => {
    await ack();
    await client.chat.postMessage({ channel: command.channel_id, text: 'digest', blocks: digest });
  });
  app.action<BlockAction<ButtonAction>>(/look_up|send_again/, async ({ ack, respond, action }) => {
    await ack();
    await respond({ text: `pressed ${action.action_id}`, replace_original: false });
  });
  app.action<BlockAction<OverflowAction>>('more', async ({ ack, client, action, body }) => {
    await ack();
    await client.chat.postMessage({ channel: body.user.id, text: `chose ${action.selected_option.value}` });
  });
  app.shortcut('send_test_notification', async ({ ack, client, shortcut }) => {
    await ack();
    await client.views.open({ trigger_id: shortcut.trigger_id, view: form });
  });
  app.options('workflow', async ({ ack, payload }) => {
    await ack({
      options: ['order-shipped', 'password-reset'].filter((name) => name.includes(payload.value)).map(option),
    });
  });
  app.view('send_test', async ({ ack, view, client, body }) => {
    const { workflow, to } = view.state.values;
    if (to?.to?.value === 'nobody') return ack({ response_action: 'errors', errors: { to: 'No such subscriber.' } });
    if (to?.to?.value === 'everybody') return ack({ response_action: 'update', view: askingForSure });
    await ack();
    const words = `sent ${workflow?.workflow?.selected_option?.value} to ${to?.to?.value}`;
    await client.chat.postMessage({ channel: body.user.id, text: words });
  });
  app.event('app_home_opened', async ({ event, client }) => {
    if (event.tab === 'home') await client.views.publish({ user_id: event.user, view: homeSaying('All is well') });
  });
  app.action<BlockAction>('refresh', async ({ ack, client, body }) => {
    await ack();
    await client.views.publish({ user_id: body.user.id, view: homeSaying('Still well') });
  });
  app.event('app_mention', async ({ event, client }) => {
    const thread_ts = event.thread_ts ?? event.ts;
    await client.chat.postMessage({ channel: event.channel, text: `heard: ${event.text}`, thread_ts });
  });
  return app;
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

let browser: Browser;
let slack: LocalSlack;
let bot: App;
let page: Page;
let log: Locator;
let complaints: string[];

beforeAll(async () => {
  const pageFiles = await buildPage(root);
  const manifest = {
    'features.app_home': { home_tab_enabled: true, messages_tab_enabled: true },
    'settings.event_subscriptions.bot_events': ['app_home_opened', 'app_mention'],
  };
  slack = await startSlackWith(manifest, { pageFiles });
  slack.workspace.grant('files:write', 'app_mentions:read');
  bot = createBot(slack);
  await bot.start();
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  await bot.stop();
  await slack.close();
});

beforeEach(async () => {
  complaints = [];
  page = await browser.newPage({ viewport: { width: 390, height: 800 } });
  page.setDefaultTimeout(5_000);
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(slack.url);
  log = page.getByRole('log');
  await page.getByText('Notif is connected').waitFor();
});

afterEach(async () => {
  await page.close();
  expect(complaints).toEqual([]);
});

async function type(text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message #oncall' }).fill(text);
  await page.keyboard.press('Enter');
}

describe("the workspace's page", () => {
  it('shows text from outside as text, and never as a mention', async () => {
    await type('/notif digest');
    await log.getByText('SendGrid refused <!channel>').last().waitFor();
    expect(await log.locator('.mention').count()).toBe(0);
  });

  it('presses buttons, asking first where the button says so', async () => {
    await type('/notif digest');
    await log.getByRole('button', { name: 'Look up' }).last().click();
    await log.getByText('pressed look_up').waitFor();
    await log.getByRole('button', { name: 'Send again' }).last().click();
    await page.getByRole('dialog', { name: 'Send again?' }).getByRole('button', { name: 'Yes' }).click();
    await log.getByText('pressed send_again').waitFor();
  });

  it('chooses from an overflow menu by keyboard, and marks the answer as unread', async () => {
    await type('/notif digest');
    await log.getByRole('button', { name: 'More options' }).last().press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('navigation').getByRole('button', { name: 'Notif 1' }).click();
    await log.getByText('chose Mute').waitFor();
  });

  it('fills in a form: searches, is told what is wrong, submits', async () => {
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await page.getByRole('menuitem', { name: 'Send a test notification' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send a test' });
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.getByText('Please complete this required field.').first().waitFor();
    await dialog.getByRole('combobox', { name: 'Workflow' }).fill('ship');
    await page.getByRole('option', { name: 'order-shipped' }).click();
    await dialog.getByLabel('Subscribers').fill('nobody');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.getByText('No such subscriber.').waitFor();
    await dialog.getByLabel('Subscribers').fill('user-1');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('navigation').getByRole('button', { name: 'Notif' }).click();
    await log.getByText('sent order-shipped to user-1').waitFor();
  });

  it('keeps what was typed when a form changes, and gives the focus to what it asks for', async () => {
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await page.getByRole('menuitem', { name: 'Send a test notification' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send a test' });
    await dialog.getByRole('combobox', { name: 'Workflow' }).fill('ship');
    await page.getByRole('option', { name: 'order-shipped' }).click();
    await dialog.getByLabel('Subscribers').fill('everybody');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.getByLabel('Are you sure?').and(page.locator(':focus')).waitFor();
    expect(await dialog.getByLabel('Subscribers').inputValue()).toBe('everybody');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('closes a form by Escape', async () => {
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await page.getByRole('menuitem', { name: 'Send a test notification' }).click();
    await page.getByRole('dialog', { name: 'Send a test' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('says when a command is not one', async () => {
    await type('/nonsense');
    await page.getByRole('alert').filter({ hasText: '/nonsense is not a valid command' }).waitFor();
  });

  it('shows who is mentioned, and downloads a file', async () => {
    await page.getByRole('navigation').getByRole('button', { name: '#general' }).click();
    await bot.client.chat.postMessage({ channel: 'C0ONCALL', text: '<!subteam^S0ONCALL> look' });
    await bot.client.filesUploadV2({ channel_id: 'C0ONCALL', content: 'user-1', filename: 'who.csv', title: 'Who' });
    await page.getByRole('navigation').getByRole('button', { name: '#oncall @2' }).click();
    await log.getByRole('article').filter({ hasText: 'Mentions you' }).getByText('@oncall').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      log.getByRole('link', { name: 'Who' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('who.csv');
  });

  it('shows the Home tab, and its buttons work', async () => {
    await page.getByRole('navigation').getByRole('button', { name: 'Notif' }).click();
    await page.getByRole('tab', { name: 'Home' }).click();
    await page.getByRole('heading', { name: 'All is well' }).waitFor();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('heading', { name: 'Still well' }).waitFor();
  });

  it('completes a mention, and goes on in the thread of the answer', async () => {
    const field = page.getByRole('textbox', { name: 'Message #oncall' });
    await field.fill('@no');
    await page.keyboard.press('Tab');
    await field.pressSequentially('where is it?');
    await page.keyboard.press('Enter');
    const answer = log.getByRole('article').filter({ hasText: 'heard: @Notif where is it?' });
    await answer.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Reply in thread' }).click();
    await field.fill('@Notif and now?');
    await page.keyboard.press('Enter');
    await log.getByText('heard: @Notif and now?').waitFor();
    expect(await log.locator('.thread').filter({ hasText: 'where is it?' }).getByRole('article').count()).toBe(4);
  });

  it('lets one act as a guest', async () => {
    await page.getByRole('combobox', { name: 'Act as' }).selectOption('gus (guest)');
    await page.getByRole('textbox', { name: 'Message #general' }).fill('hello');
    await page.keyboard.press('Enter');
    await log.getByRole('article').filter({ hasText: 'guest' }).getByText('hello').waitFor();
  });

  it('makes a channel and archives it', async () => {
    await page.setViewportSize({ width: 1000, height: 800 });
    await page.getByRole('button', { name: 'New channel' }).click();
    await page.getByRole('dialog', { name: 'New channel' }).getByRole('textbox', { name: 'Name' }).fill('alerts');
    await page.keyboard.press('Enter');
    await page.getByRole('navigation').getByRole('button', { name: '#alerts' }).click();
    await page.getByRole('button', { name: 'Channel', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await page.getByText('This channel is archived').waitFor();
  });

  it('fits a telephone: nothing reaches beyond its edge', async () => {
    await type('/notif digest');
    await log.getByRole('button', { name: 'Send again' }).last().waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  });
});

describe('building the page', () => {
  it('builds the same sources only once', async () => {
    const folder = await buildPage(root);
    const builds = await readdir(dirname(folder));
    expect(await buildPage(root)).toBe(folder);
    expect(await readdir(dirname(folder))).toEqual(builds);
  });
});
