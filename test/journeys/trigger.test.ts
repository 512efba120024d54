import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delivered } from '../../sandbox/service/examples.ts';
import type { Person } from '../support/person.ts';
import { openWorld, openWorldAsleep, POLLS_ONCE, type World } from '../support/world.ts';

describe('the test form', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorldAsleep({ environments: ['production', 'staging'] });
    const [production, staging] = [world.serviceOf('production').world, world.serviceOf('staging').world];
    production.plantEvent(delivered({ workflow: 'password-reset', createdAt: production.now() - 1_000 }));
    production.plantEvent(delivered({ workflow: 'order-shipped' }));
    staging.plantEvent(delivered({ workflow: 'marketing-news' }));
    await world.start();
    await world.log.until('"newEvents":2');
    await world.log.until('"newEvents":1');
  });
  afterAll(() => world.close());

  test('opens by the command, with the workflow and its template if one is named', async () => {
    const { ann } = world;
    await ann.types('/notif trigger order-shipped');
    const form = await ann.seesModal('Send a test');
    expect(form.words).toContain('order-shipped · Order shipped');
    expect(form.words).toContain('"orderNumber": ""');
  });

  test('opens by the shortcut, and shows the template of the chosen workflow', async () => {
    const { ann } = world;
    await ann.choosesShortcut('send_test_notification');
    await ann.seesModal('Send a test');
    await ann.fillsIn({ Workflow: 'password-reset' });
    await ann.seesModal('"resetLink": ""');
  });

  test('keeps its contents when Slack fails to update it', async () => {
    const { ann, slack } = world;
    await ann.types('/notif trigger order-shipped');
    await ann.seesModal('Send a test');
    slack.faults.next('views.update', { kind: 'error', error: 'internal_error' });
    await ann.fillsIn({ Recipients: 'user-1', Workflow: 'password-reset' });
    world.log.expects(/An interaction couldn't be answered/);
    await expect.poll(() => ann.modal()?.words).toContain('Something went wrong in Notif itself.');
    await ann.closes();
    expect(ann.modal()?.words).toContain('"orderNumber": ""');
    await ann.closesAll();
  });

  test('offers the workflows of recent events of its environment, and what was typed', async () => {
    const { ann } = world;
    await ann.types('/notif trigger');
    await ann.seesModal('Send a test');
    expect(await ann.isOffered('trigger.workflow', '')).toEqual([
      'order-shipped · Order shipped',
      'password-reset · Password reset',
    ]);
    expect(await ann.isOffered('trigger.workflow', 'reset')).toEqual([
      'password-reset · Password reset',
      'Use “reset”',
    ]);
    await ann.closesAll();
    await ann.types('/notif trigger env:staging');
    await ann.seesModal('Send a test');
    expect(await ann.isOffered('trigger.workflow', '')).toEqual(['marketing-news · Marketing news']);
  });

  test.each([
    [{ Recipients: 'user-1\nuser-2 {"a": }', Payload: '{}' }, "Line 2: This isn't JSON"],
    [{ Recipients: 'user-1', Advanced: '{"tenants": "acme"}' }, "The service wouldn't take tenants."],
  ])('reports an error under its field, and sends nothing: %#', async (fields, error) => {
    const { ann } = world;
    await ann.types('/notif trigger order-shipped');
    await ann.seesModal('Send a test');
    await ann.fillsIn(fields);
    expect(await ann.submits()).toEqual([expect.stringContaining(error)]);
    expect(world.service.requests.count('triggerEvents')).toBe(0);
  });

  test("doesn't open for users who aren't operators, with the reason", async () => {
    const { ann, ben } = world;
    const answer = await ben.asks('/notif trigger order-shipped');
    expect(answer.words).toContain('Only operators can do this.');
    expect(answer.words).toContain(`Ask ⟨user ${ann.id}⟩.`);
    expect(ben.modal()).toBeUndefined();
  });
});

describe('a test', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ variables: POLLS_ONCE });
  });
  afterAll(() => world.close());

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

  test("reports why the service didn't accept it", async () => {
    const { ann } = world;
    await fillIn(ann, 'retired-welcome', 'user-1');
    await ann.submits();
    await ann.seesModal("🔴 The service refused 1 event of retired-welcome in production: the workflow isn't active");
    const ended = await ann.sees('Test of retired-welcome in production · done', ann.directMessages);
    expect(ended.words).toContain("🔴 user-1 not sent: the workflow isn't active");
  });

  test('reports that nothing was sent where it was asked if the form was closed', async () => {
    const { ann, service, slack } = world;
    service.faults.set('triggerEvents', { kind: 'status', status: 401 }, { times: 1 });
    slack.faults.next('views.update', { kind: 'error', error: 'not_found' });
    await fillIn(ann, 'password-reset', 'user-6');
    await ann.submits();
    await ann.gets('Nothing was sent.');
  });
});

async function fillIn(person: Person, workflow: string, subscribers: string): Promise<void> {
  await person.types(`/notif trigger ${workflow}`);
  await person.seesModal(workflow);
  await person.fillsIn({ Recipients: subscribers, Payload: '{"resetLink": "https://shop.example/reset"}' });
}
