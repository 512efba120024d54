import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { builtPage } from '../test/support/shared.ts';
import { connectBrowser } from '../test/support/shared-browser.ts';
import type { LocalSlack } from './slack/server.ts';
import { clientOf, startSlack } from './slack/testing.ts';

let browser: Browser;
let slack: LocalSlack;
let page: Page;

beforeAll(async () => {
  slack = await startSlack({ pageFiles: await builtPage() });
  browser = await connectBrowser();
  // The first test to request the page waits for its build, on a machine that can be busy.
}, 180_000);

afterAll(async () => {
  await browser.close();
  await slack.close();
});

beforeEach(async () => {
  page = await browser.newPage({ timezoneId: 'Asia/Tokyo', locale: 'en-GB' });
  page.setDefaultTimeout(20_000);
});

afterEach(() => page.close());

const opens = (query: string) => page.goto(`${slack.url}/?${query}`);
const actsAs = () => page.getByRole('combobox', { name: 'Act as' }).inputValue();

describe('the page of one person', () => {
  test.each([
    ['U0ANN', '13:00'],
    ['U0BEN', '07:00'],
  ])('shows %s times in their own time zone, whatever the zone of the browser is', async (as, time) => {
    const noon = Date.UTC(2026, 10, 20, 12) / 1_000;
    const text = `<!date^${noon}^it was {time}|then>`;
    await clientOf(slack).chat.postMessage({ channel: 'C0ONCALL', text });
    await opens(`as=${as}&in=C0ONCALL`);
    await page.getByText(`it was ${time}`).first().waitFor();
  });

  test('is that of the first person if nobody has the ID in its URL', async () => {
    await opens('as=ann');
    await page.getByRole('textbox', { name: 'Message #oncall' }).waitFor();
    expect(await actsAs()).toBe('U0ANN');
    expect(await page.getByText('The sandbox does not answer.').count()).toBe(0);
  });

  test('keeps the name of a channel that was refused, and says why', async () => {
    await opens('as=U0ANN');
    await page.getByRole('button', { name: 'New channel' }).click();
    const dialog = page.getByRole('dialog', { name: 'New channel' });
    const name = dialog.getByRole('textbox', { name: 'Name' });
    await name.fill('Not allowed');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('Names are in lower case, without spaces or periods.').waitFor();
    expect(await name.inputValue()).toBe('Not allowed');
    await name.fill('allowed');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('navigation').getByRole('button', { name: '#allowed' }).waitFor();
  });

  test('has the menu of a channel on a phone too', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await opens('as=U0ANN&in=C0QUIET');
    await page.getByRole('button', { name: 'Channel', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Invite the app' }).click();
    await page.getByRole('button', { name: 'Channel', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Remove the app' }).waitFor();
  });
});
