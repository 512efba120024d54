import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../support/person.ts';
import { openWorld, type World } from '../support/world.ts';

describe('a test', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  /** Counts the service's trigger requests so far. */
  const sent = () => world.service.requests.count('triggerEvents');

  test('is followed to its end in one direct message, and the channel gets a pointer to it', async () => {
    const { ann, ben } = world;
    await fillIn(ann, 'password-reset', 'user-1');
    expect(await ann.submits()).toEqual([]);
    const pointer = await ann.gets('password-reset is sent to one subscriber. Follow it in your DMs');
    expect(pointer.onlyFor).toBe(ann.id);
    const begun = await ann.sees('Test of password-reset in production', ann.directMessages);
    const ended = await ann.sees('✅ Test of password-reset in production · done', ann.directMessages);
    expect(ended.words).toContain('✅ user-1 delivered: email');
    expect(ended.spot).toEqual(begun.spot);
    expect(ben.messages()).toEqual([]);
  });

  test('reports each of several subscribers separately', async () => {
    const { ann, service } = world;
    service.world.subscriber('nobody-home').email = null;
    await fillIn(ann, 'password-reset', 'user-2\nnobody-home');
    await ann.submits();
    await ann.seesModal('Preview · 2 events of password-reset in production');
    await ann.fillsIn({ Preview: 'Yes, send them' });
    await ann.submits();
    const ended = await ann.sees('in production · 2 of 2 done', ann.directMessages);
    expect(ended.words).toContain('✅ 1. user-2 delivered: email');
    expect(ended.words).toContain('🟠 2. nobody-home undeliverable');
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
    await ann.gets('password-reset may or may not have gone to one subscriber');
  });

  test('reports that nothing was sent when the service refuses it', async () => {
    const { ann, service, log } = world;
    service.faults.set('triggerEvents', { kind: 'status', status: 401 }, { times: 1 });
    await fillIn(ann, 'password-reset', 'user-5');
    await ann.submits();
    const answer = await ann.gets("Couldn't send the test to production: the API key was refused (401).");
    expect(answer.words).toContain('Nothing was sent.');
    expect(log.saying(/Reference (\w{5})/.exec(answer.words)?.[1] ?? 'no reference')).toHaveLength(1);
  });

  test('reports that nothing was sent when the service is unreachable', async () => {
    const { ann, lines } = world;
    await lines.service.cut();
    await fillIn(ann, 'password-reset', 'user-6');
    await ann.submits();
    const answer = await ann.gets("Couldn't send the test to production: there is no connection to it.");
    expect(answer.words).toContain('Nothing was sent.');
    await lines.service.restore();
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
  await person.fillsIn({ Subscribers: subscribers, Payload: '{"resetLink": "https://shop.example/reset"}' });
}
