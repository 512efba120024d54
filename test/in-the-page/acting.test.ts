import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { delivered } from '../../sandbox/notification-service/examples.ts';
import { GENERAL } from '../support/person.ts';
import { type Onlookers, openOnlookers } from './onlookers.ts';

describe('a user of the sandbox page', () => {
  let onlookers: Onlookers;
  beforeAll(async () => {
    onlookers = await openOnlookers(GENERAL);
    onlookers.world.service.world.plantEvent(delivered({ workflow: 'password-reset' }));
    await onlookers.world.log.until('"newEvents":1');
  });
  afterEach(() => onlookers.findNothingWrong());
  afterAll(() => onlookers.close());

  test('sends a test as an operator: sees an error under its field, fixes it, and follows the test to its end', async () => {
    const { ann, world } = onlookers;
    await ann.page.getByRole('button', { name: 'Shortcuts' }).click();
    await ann.page.getByRole('menuitem', { name: 'Send a test notification' }).click();
    const form = ann.dialog('Send a test');
    await form.getByRole('combobox', { name: 'Workflow' }).fill('pass');
    await ann.page.getByRole('option', { name: 'password-reset' }).click();
    await form.getByText('"resetLink": ""').waitFor();
    await form.getByRole('textbox', { name: 'Subscribers' }).fill('user-1');
    await form.getByRole('textbox', { name: 'Payload' }).fill('{"resetLink": }');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText("This isn't JSON:").waitFor();
    expect(await ann.tooWideForATelephone()).toEqual([]);
    expect(world.service.requests.count('triggerEvents')).toBe(0);
    await form.getByRole('textbox', { name: 'Payload' }).fill('{"resetLink": "https://shop.example/reset"}');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.waitFor({ state: 'detached' });
    await ann.goesTo('Notif');
    await ann.reads('Test of password-reset in production · done');
    await ann.message('user-1 delivered: email').waitFor();
    await ann.goesTo('#general');
  });

  test('creates a watch that everybody sees, and removes it after a confirmation', async () => {
    const { ann, ben } = onlookers;
    await ann.types('/notif watch channel:email min:5 mention:@oncall');
    const made = await ben.reads('created a watch here');
    await made.getByText('Only channel email').waitFor();
    await ann.types('/notif watches');
    const list = await ann.reads('1 watch here');
    await list.getByRole('button', { name: 'Remove', exact: true }).click();
    const question = ann.dialog('Remove this watch?');
    await question.getByRole('button', { name: 'Keep' }).click();
    await list.getByRole('button', { name: 'Remove', exact: true }).click();
    await question.getByRole('button', { name: 'Remove' }).click();
    await ben.reads('@ann removed a watch');
    await ann.types('/notif watches');
    await ann.reads('This channel has no watch');
  });

  test("who isn't an operator sees whom to ask, and isn't offered a test on Home", async () => {
    const { ben } = onlookers;
    await ben.types('/notif trigger password-reset');
    const refusal = await ben.reads('Only operators can do this.');
    await refusal.getByText('Ask @ann, or have NOTIF_OPERATORS changed.').waitFor();
    await ben.goesTo('Notif');
    await ben.page.getByRole('tab', { name: 'Home' }).click();
    await ben.home.getByRole('button', { name: 'Help' }).waitFor();
    expect(await ben.home.getByRole('button', { name: 'Send a test' }).count()).toBe(0);
  });
});
