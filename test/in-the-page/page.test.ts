import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { delivered, failed } from '../../sandbox/service/examples.ts';
import { ONCALL } from '../support/person.ts';
import { type Onlookers, openOnlookers } from './onlookers.ts';
import { TELEPHONE } from './screen.ts';

const LONG_NAME = 'everybody-who-reads-the-weekly-newsletter';

let onlookers: Onlookers;
beforeAll(async () => {
  onlookers = await openOnlookers(ONCALL);
});
afterEach(() => onlookers.findNothingWrong());
afterAll(() => onlookers.close());

describe('an outage, seen by people with the page open', () => {
  beforeAll(async () => {
    await onlookers.world.log.until('Events checked');
    for (let n = 1; n <= 5; n++)
      onlookers.world.service.world.plantEvent(failed('email', { subscriber: `user-${n}`, topics: [LONG_NAME] }));
    await onlookers.world.polls();
  });

  const digest = () => onlookers.ann.message('SendGrid refuses every email');

  test("is acknowledged by its row's button, which everybody sees at once", async () => {
    const { ann, ben } = onlookers;
    await digest().getByRole('button', { name: 'Acknowledge' }).click();
    await ann.reads('Acknowledged #1 ');
    await ben.message('production').getByText('👀 @ann').waitFor();
  });

  test('shows whom it hit, in a table that keeps words whole on a telephone', async () => {
    const { ann } = onlookers;
    await digest().getByRole('button', { name: 'More options' }).click();
    await ann.page.getByRole('menuitem', { name: 'View affected' }).click();
    const heading = ann.page.getByRole('columnheader', { name: 'Failures' });
    const tall = async () => (await heading.boundingBox())?.height;
    const onDesk = await tall();
    await ann.page.setViewportSize(TELEPHONE);
    expect(await tall()).toBe(onDesk);
    expect(await ann.tooWideForATelephone()).toEqual([]);
  });
});

describe('a user of the sandbox page', () => {
  beforeAll(() => onlookers.ann.goesTo('#general'));

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
    await world.polls();
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
    await world.fastForward(ann.reads('Test of password-reset in production · done'));
    await ann.message('user-1 delivered: email').waitFor();
  });

  test('edits a watch by keyboard, and removes it after a confirmation', async () => {
    const { ann } = onlookers;
    await ann.goesTo('#general');
    await ann.types('/notif watch channel:email');
    const made = await ann.reads('created a watch here');
    await made.getByRole('button', { name: 'Edit' }).press('Enter');
    const form = ann.dialog('Edit a watch');
    const providers = form.getByRole('group', { name: 'Providers' });
    await providers.getByRole('textbox').fill('sendgrid');
    await providers.getByRole('checkbox', { name: 'sendgrid' }).press('Space');
    await form.getByRole('button', { name: 'More settings…' }).press('Enter');
    await form.getByRole('group', { name: 'Severities' }).getByRole('checkbox', { name: 'high' }).press('Space');
    await form.getByRole('combobox', { name: 'Or mention a user group' }).selectOption('@oncall');
    await form.getByRole('button', { name: 'Save' }).press('Enter');
    await ann.reads('provider sendgrid, severity high');
    await form.getByRole('button', { name: 'Close' }).last().press('Enter');
    await ann.types('/notif watches');
    const remove = (await ann.reads('1 watch here')).getByRole('button', { name: 'Remove' });
    const question = ann.dialog('Remove this watch?');
    await remove.click();
    await question.getByRole('button', { name: 'Keep' }).click();
    await remove.click();
    await question.getByRole('button', { name: 'Remove' }).click();
    await ann.reads('removed a watch');
    expect(await ann.message('removed a watch').count()).toBe(1);
  });

  test("refreshes the Home tab by keyboard without losing the button's focus", async () => {
    const { ann, world } = onlookers;
    await ann.goesTo('Notif');
    await ann.page.getByRole('tab', { name: 'Home' }).click();
    const updated = ann.home.getByText('Updated');
    await updated.waitFor();
    const before = await updated.innerText();
    world.passes(60_000);
    const refresh = ann.home.getByRole('button', { name: 'Refresh' });
    await refresh.press('Enter');
    await expect.poll(() => updated.innerText()).not.toBe(before);
    await refresh.and(ann.page.locator(':focus')).waitFor();
  });
});
