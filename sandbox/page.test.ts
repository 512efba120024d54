import type { App } from '@slack/bolt';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { shared } from '../src/store/store.testing.ts';
import { createBot } from './page.testing.ts';
import { startSlack } from './slack/local-slack.testing.ts';
import type { LocalSlack } from './slack/server.ts';

let browser: Browser;
let slack: LocalSlack;
let bot: App;
let page: Page;
let log: Locator;
let complaints: string[];

beforeAll(async () => {
  slack = await startSlack({ pageFiles: await shared('/page') });
  bot = createBot(slack);
  await bot.start();
  browser = await chromium.connect(await shared('/browser'));
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
  page.setDefaultTimeout(60_000);
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

  test('edits fields of every type, also by keyboard', async () => {
    await type('/notif watch');
    const dialog = page.getByRole('dialog', { name: 'A watch' });
    await dialog.getByRole('combobox', { name: 'Environment' }).selectOption('Staging');
    await dialog.getByRole('checkbox', { name: 'ben' }).click();
    await dialog.getByRole('checkbox', { name: 'Failed' }).press('Space');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.waitFor({ state: 'detached' });
    const words = 'Production, Staging, ben, Failed';
    await expect.poll(() => log.innerText()).toContain(words);
  });

  test('shows the Home tab with working buttons', async () => {
    await page.getByRole('navigation').getByRole('button', { name: 'Notif' }).click();
    await page.getByRole('tab', { name: 'Home' }).click();
    await page.getByRole('heading', { name: 'All is well' }).waitFor();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('heading', { name: 'Still well' }).waitFor();
  });
});
