import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { shared } from '../src/store/store.testing.ts';
import { directorRoutes } from './director/director.ts';
import { SCENARIOS } from './director/scenarios.ts';
import { openTheatre, type Theatre } from './director/theatre.testing.ts';
import { clientOf } from './slack/local-slack.testing.ts';

let browser: Browser;
let theatre: Theatre;
let page: Page;
let panel: Locator;

beforeAll(async () => {
  theatre = await openTheatre(SCENARIOS, { pageFiles: await shared('/page') });
  theatre.slack.mount('/director/', directorRoutes(theatre.director));
  browser = await chromium.connect(await shared('/browser'));
});

afterAll(async () => {
  await browser.close();
  await theatre.close();
});

beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(60_000);
  await page.goto(theatre.slack.url);
  panel = page.getByRole('complementary', { name: 'Sandbox' });
});

afterEach(() => page.close());

const tab = (name: string | RegExp) => panel.getByRole('tab', { name });
const thing = (title: string) => panel.getByRole('listitem').filter({ hasText: title });

describe('the page', () => {
  test('what somebody has not read is still unread after the user acted as another', async () => {
    const conversations = page.getByRole('navigation');
    await conversations.getByRole('button', { name: '#general' }).click();
    await clientOf(theatre.slack).chat.postMessage({ channel: 'C0ONCALL', text: 'news' });
    const unread = conversations.getByRole('button', { name: /#oncall\s*1/ });
    await unread.waitFor();
    for (const name of ['ben', 'ann']) await page.getByLabel('Act as').selectOption({ label: name });
    await conversations.getByRole('button', { name: '#partner' }).waitFor();
    expect(await unread.count()).toBe(1);
  });
});

describe('the side panel', () => {
  test('plays a scenario at a speed, and stops it', async () => {
    await tab('Scenarios').click();
    await panel.getByRole('button', { name: '16×' }).click();
    const slowService = panel.getByRole('region', { name: 'Service slow' });
    await slowService.getByRole('button', { name: 'Start' }).click();
    await slowService.getByText('Each answer takes 3 seconds').waitFor();
    expect(theatre.service.world.pace).toBe(16);
    await slowService.getByRole('button', { name: 'Stop' }).click();
    await slowService.getByRole('button', { name: 'Start' }).waitFor();
    expect(theatre.service.world.pace).toBe(1);
  });

  test('puts a suggested text into the right field without sending it', async () => {
    await page.getByRole('navigation').getByRole('button', { name: '#general' }).click();
    await thing('Send a test').getByRole('button').click();
    const field = page.getByRole('textbox', { name: 'Message #oncall' });
    await field.and(page.locator(':focus')).waitFor();
    expect(await field.inputValue()).toBe('/notif trigger order-shipped');
  });
});
