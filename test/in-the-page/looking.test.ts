import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { failed } from '../../sandbox/notification-service/examples.ts';
import { GENERAL } from '../support/person.ts';
import type { World } from '../support/world.ts';
import { type Onlookers, openOnlookers } from './onlookers.ts';

describe('a user of the sandbox page', () => {
  let onlookers: Onlookers;
  beforeAll(async () => {
    onlookers = await openOnlookers(GENERAL);
  });
  afterEach(() => onlookers.findNothingWrong());
  afterAll(() => onlookers.close());

  test("looks up an event and reads the provider's whole response", async () => {
    const { ann, ben, world } = onlookers;
    const raw = `${'The mailbox is full. '.repeat(500)}The end.`;
    const event = world.service.world.plantEvent(failed('email', { subscriber: 'user-0042' }, { raw }));
    await ann.types(`/notif event ${event._id}`);
    const card = await ann.reads('Failed · order-shipped for user-0042');
    await card.getByText('Only visible to you').waitFor();
    await card.getByRole('button', { name: 'View raw' }).click();
    const modal = ann.dialog('Raw event');
    await modal.getByRole('button', { name: 'Next page' }).click();
    await modal.getByText('The end.').waitFor();
    expect(await ann.tooWideForATelephone()).toEqual([]);
    await ann.page.keyboard.press('Escape');
    await card.getByRole('button', { name: 'View raw' }).and(ann.page.locator(':focus')).waitFor();
    expect(await ben.message('user-0042').count()).toBe(0);
  });

  test('shares a lookup with everybody', async () => {
    const { ann, ben } = onlookers;
    await ann.message('Failed · order-shipped for user-0042').getByRole('button', { name: 'Share' }).click();
    const shared = await ben.reads('Shared by @ann');
    await shared.getByRole('button', { name: 'More actions' }).waitFor();
  });

  test('pages through failures and looks up an example', async () => {
    const { ann, world } = onlookers;
    for (const word of twelveWords) world.service.world.plantEvent(failed('sms', { subscriber: word }, { raw: word }));
    await expect.poll(() => eventsChecked(world)).toBe(1 + twelveWords.length);
    await ann.types('/notif failures channel:sms');
    const first = await ann.reads('Groups 1–10 of 12');
    await first.getByRole('button', { name: 'Next groups' }).click();
    const second = await ann.reads('Groups 11–12 of 12');
    await second.getByRole('button', { name: 'Look up' }).first().click();
    await ann.reads(/Failed · order-shipped for (ape|bee|cat|dog|eel|fox|gnu|hen|ibex|jay|koi|lynx)/);
    await second.getByRole('button', { name: 'Previous groups' }).click();
    await ann.reads('Groups 1–10 of 12');
  });

  test('looks at a chart', async () => {
    const { ann } = onlookers;
    await ann.types('/notif chart');
    const answer = await ann.reads('By provider:');
    await answer.getByText(/ failures · .* events checked/).waitFor();
    expect(await ann.tooWideForATelephone()).toEqual([]);
  });

  test('opens Home, sees open incidents, and goes from there to an example and to a lookup', async () => {
    const { ann } = onlookers;
    await ann.goesTo('Notif');
    await ann.page.getByRole('tab', { name: 'Home' }).click();
    await ann.home.getByText('13 open incidents', { exact: true }).waitFor();
    await ann.home.getByText('#oncall · All failures').waitFor();
    await ann.home.getByRole('button', { name: 'Look up' }).first().click();
    await ann.page.getByRole('dialog').getByText('Failed').first().waitFor();
    expect(await ann.tooWideForATelephone()).toEqual([]);
    await ann.page.keyboard.press('Escape');
    await ann.home.getByRole('button', { name: 'Find a notification' }).click();
    await ann.dialog('Find a notification').getByRole('textbox').fill('user-0042');
    await ann.page.keyboard.press('Escape');
  });
});

function eventsChecked({ log }: World): number {
  return log.saying('events checked').reduce((sum, { newEvents }) => sum + Number(newEvents), 0);
}

const twelveWords = ['ape', 'bee', 'cat', 'dog', 'eel', 'fox', 'gnu', 'hen', 'ibex', 'jay', 'koi', 'lynx'];
