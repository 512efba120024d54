import type { Locator, Page } from 'playwright-core';
import { HIGH, LOW, type PictureSet, WIDTH } from './set.ts';

const MINUTE = 60_000;
/** The margin around an element, in pixels. */
const MARGIN = 24;

/** Saves a picture: its name, and the browser's PNG. */
export type Keep = (name: string, png: Uint8Array) => Promise<void>;

/** Plays a provider's outage for Ann, and takes each picture at its moment. */
export async function story(set: PictureSet, keep: Keep): Promise<void> {
  const { page } = set;
  await playOutage(set);
  const digest = await acknowledge(page);
  await restHands(page);
  await page.setViewportSize({ width: WIDTH, height: LOW });
  await keep('workspace', await page.screenshot({ scale: 'css' }));
  await page.setViewportSize({ width: WIDTH, height: HIGH });
  await keep('digest', await digest.screenshot());
  const card = await lookUp(page, digest);
  await restHands(page);
  await keep('event', await card.screenshot());
  const form = await fillInTest(page);
  await keep('trigger', await page.screenshot({ clip: await around(form) }));
  await page.keyboard.press('Escape');
  const home = await openHome(page);
  await restHands(page);
  await keep('home', await page.screenshot({ clip: await upTo(home.getByRole('button', { name: 'Refresh' }), home) }));
}

/** Plays a quiet quarter of an hour, after which Twilio refuses everything sent through it. */
async function playOutage({ production, posts, passes }: PictureSet): Promise<void> {
  await passes(15 * MINUTE);
  production.startOutage('twilio');
  const posted = posts(1);
  await passes(MINUTE);
  await posted;
  await passes(4 * MINUTE + 20_000);
}

/** Acknowledges the incident. The digest is updated at once with everything counted until then. */
async function acknowledge(page: Page): Promise<Locator> {
  const digest = message(page, 'an error of the provider (20503)');
  await digest.getByRole('button', { name: 'Acknowledge' }).click();
  await digest.getByText('👀 @ann').waitFor();
  return digest;
}

async function lookUp(page: Page, digest: Locator): Promise<Locator> {
  await digest.getByRole('button', { name: 'Example' }).last().click();
  const card = message(page, 'Part of #');
  await card.waitFor();
  return card;
}

async function fillInTest(page: Page): Promise<Locator> {
  await page.getByRole('textbox', { name: 'Message #oncall' }).fill('/notif trigger order-shipped env:staging');
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'Send a test' });
  await form.getByRole('textbox', { name: 'Recipients' }).fill('user-17\nuser-42 {"carrier": "UPS"}');
  const payload = { orderNumber: 'A-10017', carrier: 'DHL', wantsUpdates: 'true' };
  await form.getByRole('textbox', { name: 'Payload' }).fill(JSON.stringify(payload, null, 2));
  return form;
}

async function openHome(page: Page): Promise<Locator> {
  await page.getByRole('navigation').getByRole('button', { name: 'Notif' }).click();
  await page.getByRole('tab', { name: 'Home' }).click();
  const home = page.getByRole('tabpanel', { name: 'Home' });
  await home.getByRole('button', { name: 'Refresh' }).waitFor();
  return home;
}

function message(page: Page, words: string): Locator {
  return page.getByRole('log').getByRole('article').filter({ hasText: words }).last();
}

async function restHands(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate('document.activeElement?.blur()');
}

/** Returns the area of a dialog and a little of what is behind it. */
async function around(dialog: Locator) {
  const { x, y, width, height } = await boxOf(dialog);
  return { x: x - MARGIN, y: y - MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN };
}

/** Returns the upper part of an element, down to the end of `last`. */
async function upTo(last: Locator, whole: Locator) {
  const [end, { x, y, width }] = await Promise.all([boxOf(last), boxOf(whole)]);
  return { x, y, width, height: end.y + end.height + MARGIN - y };
}

async function boxOf(what: Locator) {
  const box = await what.boundingBox();
  if (box === null) throw new Error(`There is nothing to take a picture of: ${what}`);
  return box;
}
