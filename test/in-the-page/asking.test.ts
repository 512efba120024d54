import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { delivered, failed } from '../../sandbox/service/examples.ts';
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
    const raw = `${'The mailbox is full. '.repeat(350)}The end.`;
    const event = world.service.world.plantEvent(failed('email', { subscriber: 'user-0042' }, { raw }));
    await ann.types(`/notif event ${event._id}`);
    const card = await ann.reads('order-shipped for user-0042');
    await card.getByText('Only visible to you').waitFor();
    const more = card.getByRole('button', { name: 'More options' }).last();
    await more.click();
    await ann.page.getByRole('menuitem', { name: 'View raw' }).click();
    const modal = ann.dialog('Raw event');
    await modal.getByText('The end.').waitFor();
    expect(await ann.tooWideForATelephone()).toEqual([]);
    await ann.page.keyboard.press('Escape');
    await more.and(ann.page.locator(':focus')).waitFor();
    expect(await ben.message('user-0042').count()).toBe(0);
  });

  test('sends a test as an operator: sees an error under its field, fixes it, and follows the test to its end', async () => {
    const { ann, world } = onlookers;
    world.service.world.plantEvent(delivered({ workflow: 'password-reset' }));
    await expect
      .poll(() => world.log.saying('Events checked').reduce((sum, line) => sum + Number(line.newEvents ?? 0), 0))
      .toBe(2);
    await ann.page.getByRole('button', { name: 'Shortcuts' }).click();
    await ann.page.getByRole('menuitem', { name: 'Send a test notification' }).click();
    const form = ann.dialog('Send a test');
    await form.getByRole('combobox', { name: 'Workflow' }).fill('pass');
    await ann.page.getByRole('option', { name: 'password-reset' }).click();
    await form.getByText('"resetLink": ""').waitFor();
    await form.getByRole('textbox', { name: 'Recipients' }).fill('user-1');
    await form.getByRole('textbox', { name: 'Payload' }).fill('{"resetLink": }');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText("This isn't JSON:").waitFor();
    expect(await ann.tooWideForATelephone()).toEqual([]);
    expect(world.service.requests.count('triggerEvents')).toBe(0);
    await form.getByRole('textbox', { name: 'Payload' }).fill('{"resetLink": "https://shop.example/reset"}');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('Follow it in your DMs').waitFor();
    await form.getByRole('button', { name: 'Close' }).last().click();
    await ann.goesTo('Notif');
    await ann.reads('Test of password-reset in production · done');
    await ann.message('user-1 delivered: email').waitFor();
  });
});
