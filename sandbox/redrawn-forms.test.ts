import type { App, BlockAction, SlackViewAction } from '@slack/bolt';
import type { KnownBlock, ModalView } from '@slack/types';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { builtPage } from '../test/support/shared.ts';
import { connectBrowser } from '../test/support/shared-browser.ts';
import type { LocalSlack } from './slack/server.ts';
import { botOf, startSlack } from './slack/testing.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const option = (name: string) => ({ text: plain(name), value: name });
const WORKFLOWS = ['order-shipped', 'password-reset'].map(option);

const form = (title: string, blocks: readonly KnownBlock[]): ModalView => ({
  type: 'modal',
  callback_id: 'form',
  title: plain(title),
  submit: plain('Send'),
  blocks: [
    ...blocks,
    {
      type: 'actions',
      elements: ['Redraw', 'Restore'].map((text) => ({ type: 'button', action_id: text, text: plain(text) })),
    },
  ],
});
/** A form with these initial contents. */
const filledIn = (title: string, workflow: string, note: string): ModalView =>
  form(title, [
    {
      type: 'input',
      block_id: 'workflow',
      label: plain('Workflow'),
      element: { type: 'static_select', action_id: 'it', options: WORKFLOWS, initial_option: option(workflow) },
    },
    {
      type: 'input',
      block_id: 'note',
      label: plain('Note'),
      element: { type: 'plain_text_input', action_id: 'it', initial_value: note },
    },
  ]);

let browser: Browser;
let slack: LocalSlack;
let bot: App;
let page: Page;
let submitted: Promise<SlackViewAction>;

beforeAll(async () => {
  slack = await startSlack({ pageFiles: await builtPage() });
  bot = botOf(slack);
  bot.shortcut('find_notification', async ({ ack, client, shortcut }) => {
    await ack();
    await client.views.open({ trigger_id: shortcut.trigger_id, view: filledIn('A form', 'order-shipped', 'old') });
  });
  bot.action<BlockAction>('Redraw', async ({ ack, client, body }) => {
    await ack();
    await client.views.update({ view_id: body.view?.id ?? '', view: filledIn('Redrawn', 'password-reset', 'new') });
  });
  bot.action<BlockAction>('Restore', async ({ ack, client, body }) => {
    await ack();
    const view_id = body.view?.id ?? '';
    await client.views.update({ view_id, view: form('Restoring', []) });
    await client.views.update({ view_id, view: filledIn('Restored', 'password-reset', 'kept') });
  });
  submitted = new Promise((resolve) => {
    bot.view('form', async ({ ack, body }) => {
      await ack();
      resolve(body);
    });
  });
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
  page = await browser.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(slack.url);
  await page.getByText('Notif is connected').waitFor();
  await page.getByRole('button', { name: 'Shortcuts' }).click();
  await page.getByRole('menuitem', { name: 'Find a notification' }).click();
});

afterEach(async () => {
  await page.close();
  await slack.workspace.as('U0ANN').closesAll();
});

const note = () => page.getByRole('textbox', { name: 'Note' });
const workflow = () => page.getByRole('combobox', { name: 'Workflow' });

/** Waits until a field shows this content. */
async function shows(field: Locator, content: string): Promise<void> {
  await expect.poll(() => field.inputValue()).toBe(content);
}

describe('a form that the bot redraws on the page', () => {
  test('keeps what a field shows, typed or from the start', async () => {
    await note().fill('typed');
    await page.getByRole('button', { name: 'Redraw' }).click();
    await page.getByRole('dialog', { name: 'Redrawn' }).waitFor();
    await shows(workflow(), 'order-shipped');
    await shows(note(), 'typed');
  });

  test('shows and sends the new contents of fields that left in between, however briefly', async () => {
    await note().fill('typed');
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('dialog', { name: 'Restored' }).waitFor();
    await shows(workflow(), 'password-reset');
    await shows(note(), 'kept');
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    expect((await submitted).view.state.values).toMatchObject({
      workflow: { it: { selected_option: { value: 'password-reset' } } },
      note: { it: { value: 'kept' } },
    });
  });
});
