import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delivered } from '../../sandbox/notification-service/examples.ts';
import type { Person } from '../support/person.ts';
import { openWorld, POLLS_ONCE, type World } from '../support/world.ts';

describe('a test', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ variables: POLLS_ONCE });
  });
  afterAll(() => world.close());

  /** Counts the service's trigger requests so far. */
  const sent = () => world.service.requests.count('triggerEvents');

  test('is followed to its end in one direct message, to which the form points', async () => {
    const { ann, ben } = world;
    await fillIn(ann, 'password-reset', 'user-1');
    expect(await ann.submits()).toEqual([]);
    await ann.seesModal('Follow it in your DMs with Notif.');
    const begun = await ann.sees('Test of password-reset in production', ann.directMessages);
    const ended = await ann.sees('✅ Test of password-reset in production · done', ann.directMessages);
    expect(ended.words).toContain('✅ user-1 delivered: email');
    expect(ended.spot).toEqual(begun.spot);
    expect(ben.messages()).toEqual([]);
  });

  test.each([
    ['retired-welcome', "not sent: the workflow isn't active"],
    ['empty-draft', 'not sent: the workflow has no steps'],
    ['no-such-workflow', 'not sent: the service reports an error'],
  ])("reports why the service didn't accept %s", async (workflow, why) => {
    const { ann } = world;
    await fillIn(ann, workflow, 'user-1');
    await ann.submits();
    const ended = await ann.sees(`Test of ${workflow} in production · done`, ann.directMessages);
    expect(ended.words).toContain(`🔴 user-1 ${why}`);
  });

  test('is sent once, however often the form is submitted or redelivered', async () => {
    const { ann, slack } = world;
    const before = sent();
    await fillIn(ann, 'password-reset', 'user-3');
    await Promise.all([ann.submits(), ann.submits()]);
    slack.faults.redeliverLast();
    await ann.gets("This form was submitted already: it's sent only once.");
    await ann.sees('✅ user-3 delivered', ann.directMessages);
    expect(sent()).toBe(before + 1);
  });

  test('is found by polling and not sent again when the answer was lost', async () => {
    const { ann, service } = world;
    const before = sent();
    service.faults.set('triggerEvents', { kind: 'lost answer' }, { times: 1 });
    await fillIn(ann, 'password-reset', 'user-4');
    await ann.submits();
    const ended = await ann.sees('✅ user-4 delivered: email', ann.directMessages);
    expect(ended.words).toContain('No clear answer from the service, but everything went through.');
    expect(sent()).toBe(before + 1);
  });

  test("isn't reported as unsent when the service keeps answering that it is still running", async () => {
    const { ann, service } = world;
    service.faults.set('triggerEvents', { kind: 'status', status: 409 }, { times: 1 });
    await fillIn(ann, 'password-reset', 'user-409');
    await ann.submits();
    await ann.seesModal('this may or may not have gone through');
  });

  test('stays in its form when the service refuses it, with the reason, and can be sent again', async () => {
    const { ann, service, log } = world;
    service.faults.set('triggerEvents', { kind: 'status', status: 401 }, { times: 1 });
    await fillIn(ann, 'password-reset', 'user-5');
    await ann.submits();
    const { words } = await ann.seesModal("Couldn't send the test to production: the API key was refused (401).");
    expect(words).toContain('Nothing was sent.');
    expect(log.saying(/Reference (\w{5})/.exec(words)?.[1] ?? 'no reference')).toHaveLength(1);
    await ann.submits();
    await ann.sees('✅ user-5 delivered', ann.directMessages);
  });

  test('reports that nothing was sent where it was asked if the form was closed', async () => {
    const { ann, service, slack } = world;
    service.faults.set('triggerEvents', { kind: 'status', status: 401 }, { times: 1 });
    slack.faults.next('views.update', { kind: 'error', error: 'not_found' });
    await fillIn(ann, 'password-reset', 'user-6');
    await ann.submits();
    await ann.gets('Nothing was sent.');
  });

  test('sends nothing with a transaction ID that the service already knows, and says so', async () => {
    const { ann, service } = world;
    service.world.plantEvent(delivered({ subscriber: 'user-1', transactionId: 'known-1', workflow: 'password-reset' }));
    const before = sent();
    await fillIn(ann, 'password-reset', 'user-1');
    await ann.fillsIn({ Advanced: '{"transactionId": "known-1"}' });
    await ann.submits();
    const form = await ann.seesModal('already has an event of transaction known-1');
    expect(form.words).toContain('Nothing was sent.');
    expect(sent()).toBe(before);
  });

  test('is previewed in a workspace that has no alerts yet', async () => {
    const { ann, slack } = world;
    slack.faults.refuseNewerBlocks();
    await fillIn(ann, 'password-reset', 'user-7');
    await ann.fillsIn({ Advanced: '{"profile": {"firstName": "Ann"}}' });
    await ann.submits();
    await ann.seesModal('This updates the subscriber at the service');
  });
});

async function fillIn(person: Person, workflow: string, subscribers: string): Promise<void> {
  await person.types(`/notif trigger ${workflow}`);
  await person.seesModal(workflow);
  await person.fillsIn({ Recipients: subscribers, Payload: '{"resetLink": "https://shop.example/reset"}' });
}
