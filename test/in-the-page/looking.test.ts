import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { failed } from '../../sandbox/notification-service/examples.ts';
import { GENERAL } from '../support/person.ts';
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

  test('looks at a chart', async () => {
    const { ann, world } = onlookers;
    world.service.world.plantEvent(failed('sms', { subscriber: 'user-0043' }));
    const newEvents = () => world.log.saying('events checked').map((line) => Number(line.newEvents ?? 0));
    await expect.poll(() => newEvents().reduce((sum, count) => sum + count, 0)).toBe(2);
    await ann.types('/notif chart');
    const answer = await ann.reads('By provider:');
    await answer.getByText(/ failures · .* events checked/).waitFor();
    expect(await ann.tooWideForATelephone()).toEqual([]);
  });
});
