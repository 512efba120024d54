import type { App } from '@slack/bolt';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { builtPage } from '../test/support/shared.ts';
import { connectBrowser } from '../test/support/shared-browser.ts';
import { createBot } from './page.testing.ts';
import type { LocalSlack } from './slack/server.ts';
import { clientOf, refusalOf, startSlackWith } from './slack/testing.ts';

let browser: Browser;
let slack: LocalSlack;
let bot: App;
let page: Page;
let log: Locator;
let complaints: string[];

beforeAll(async () => {
  const pageFiles = await builtPage();
  const manifest = {
    'features.app_home': { home_tab_enabled: true, messages_tab_enabled: true },
    'settings.event_subscriptions.bot_events': ['app_home_opened', 'app_mention'],
  };
  slack = await startSlackWith(manifest, { pageFiles });
  slack.workspace.grant('files:write', 'app_mentions:read');
  bot = createBot(slack);
  await bot.start();
  browser = await connectBrowser();
  // The first test to request the page waits for its build, on a machine that can be busy.
}, 180_000);

afterAll(async () => {
  await browser.close();
  await bot.stop();
  await slack.close();
});

beforeEach(async () => {
  complaints = [];
  page = await browser.newPage({ viewport: { width: 390, height: 800 } });
  page.setDefaultTimeout(20_000);
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(slack.url);
  log = page.getByRole('log', { name: /^Messages/ });
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

describe('the sandbox page', () => {
  test('shows text from outside as text, and never as a mention', async () => {
    await type('/notif digest');
    await log.getByText('SendGrid refused <!channel>').last().waitFor();
    expect(await log.locator('.mention').count()).toBe(0);
  });

  test('presses buttons, after a confirmation where the button has one', async () => {
    await type('/notif digest');
    await log.getByRole('button', { name: 'Look up' }).last().click();
    await log.getByText('pressed look_up').waitFor();
    await log.getByRole('button', { name: 'Send again' }).last().click();
    await page.getByRole('dialog', { name: 'Send again?' }).getByRole('button', { name: 'Yes' }).click();
    await log.getByText('pressed send_again').waitFor();
  });

  test('chooses from an overflow menu by keyboard, and marks the answer as unread', async () => {
    await type('/notif digest');
    await log.getByRole('button', { name: 'More options' }).last().press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('navigation').getByRole('button', { name: 'Notif 1' }).click();
    await log.getByText('chose Mute').waitFor();
  });

  test('fills in a form: searches, shows errors, submits', async () => {
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

  test('keeps the input when a form changes, and focuses the new question', async () => {
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

  test('edits fields of every type, also by keyboard', async () => {
    await type('/notif watch');
    const dialog = page.getByRole('dialog', { name: 'A watch' });
    await dialog.getByRole('combobox', { name: 'Environment' }).fill('stag');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog.getByRole('combobox', { name: 'Owners' }).click();
    await page.getByRole('listbox').getByRole('option', { name: 'ann' }).click();
    await page.getByRole('listbox').getByRole('option', { name: 'ben' }).click();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Remove ann' }).click();
    await dialog.getByRole('checkbox', { name: 'Failed' }).press('Space');
    const quietFrom = dialog.getByRole('group', { name: 'Quiet from' }).getByRole('spinbutton');
    await quietFrom.first().press('1');
    await page.keyboard.type('030PM');
    await expect.poll(() => quietFrom.allTextContents()).toEqual(['10', '30', 'PM']);
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.waitFor({ state: 'detached' });
    const words = 'Production, Staging, U0BEN, Failed, 22:30';
    await expect.poll(() => log.innerText(), { timeout: 20_000 }).toContain(words);
  });

  test('sorts and pages a data table', async () => {
    await type('/notif figures');
    const counts = log.getByRole('table', { name: 'Failures' }).getByRole('cell');
    await log.getByRole('button', { name: 'Count' }).click();
    expect(await counts.allTextContents()).toEqual(['1', '9']);
    await log.getByRole('button', { name: 'Next page' }).click();
    expect(await counts.allTextContents()).toEqual(['10']);
  });

  test('shows mentions, and downloads a file', async () => {
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

  test('shows the Home tab with working buttons', async () => {
    await page.getByRole('navigation').getByRole('button', { name: 'Notif' }).click();
    await page.getByRole('tab', { name: 'Home' }).click();
    await page.getByRole('heading', { name: 'All is well' }).waitFor();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('heading', { name: 'Still well' }).waitFor();
  });

  test('completes a mention, and continues in the thread of the answer', async () => {
    const field = page.getByRole('textbox', { name: 'Message #oncall' });
    await field.fill('@');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Tab');
    await field.pressSequentially('where is it?');
    await page.keyboard.press('Enter');
    await log.getByRole('button', { name: /^1 reply/ }).press('Enter');
    const thread = page.getByRole('log', { name: 'Thread in #oncall' });
    await thread.getByText('heard: @Notif where is it?').waitFor();
    await page.getByRole('textbox', { name: 'Reply in #oncall' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('@Notif and now?');
    await page.keyboard.press('Enter');
    await thread.getByText('heard: @Notif and now?').waitFor();
    await thread.getByRole('heading', { name: '3 replies' }).waitFor();
    expect(await log.getByText('and now?').count()).toBe(0);
    await page.keyboard.press('Escape');
    await thread.waitFor({ state: 'detached' });
    await log
      .getByRole('button', { name: /^3 replies/ })
      .and(page.locator(':focus'))
      .waitFor();
  });

  test('refuses a command in a thread as Slack does, and keeps the input', async () => {
    await type('in a thread?');
    const message = log.getByRole('article').filter({ hasText: 'in a thread?' });
    await message.getByRole('button', { name: 'More actions' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Reply in thread' }).press('Enter');
    const field = page.getByRole('textbox', { name: 'Reply in #oncall' });
    await field.fill('/notif help');
    await page.keyboard.press('Enter');
    await page.getByText('/notif is not supported in threads. Sorry!').waitFor();
    expect(await field.inputValue()).toBe('/notif help');
    await page.getByRole('button', { name: 'Close the thread' }).press('Enter');
    await page.getByRole('textbox', { name: 'Message #oncall' }).and(page.locator(':focus')).waitFor();
  });

  test('lets the user act as a guest', async () => {
    await page.getByRole('combobox', { name: 'Act as' }).selectOption('gus (guest)');
    await page.getByRole('textbox', { name: 'Message #general' }).fill('hello');
    await page.keyboard.press('Enter');
    await log.getByRole('article').filter({ hasText: 'guest' }).getByText('hello').waitFor();
  });

  test('creates a channel and archives it', async () => {
    await page.setViewportSize({ width: 1000, height: 800 });
    await page.getByRole('button', { name: 'New channel' }).click();
    await page.getByRole('dialog', { name: 'New channel' }).getByRole('textbox', { name: 'Name' }).fill('alerts');
    await page.keyboard.press('Enter');
    await page.getByRole('navigation').getByRole('button', { name: '#alerts' }).click();
    await page.getByRole('button', { name: 'Channel', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await page.getByText('This channel is archived').waitFor();
  });

  test('shows the traffic between bot and workspace, and marks the refused place', async () => {
    const blocks = [{ type: 'header', text: { type: 'plain_text', text: 'a'.repeat(151) } }];
    await refusalOf(clientOf(slack).apiCall('chat.postMessage', { channel: 'C0ONCALL', text: 't', blocks }));
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByRole('tab', { name: 'Traffic' }).click();
    const traffic = page.getByRole('region', { name: 'Traffic' });
    await traffic.getByRole('button', { name: 'Connections' }).click();
    await traffic.getByText('opened').first().waitFor();
    await traffic.getByRole('button', { name: 'Refused' }).click();
    await traffic.getByText('invalid_blocks').click();
    await traffic.locator('mark').getByText('must be less than 151 characters').waitFor();
  });

  test('fits a phone without overflowing', async () => {
    await type('/notif digest');
    await log.getByRole('button', { name: 'Send again' }).last().waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  });
});
