import { beforeAll, describe, expect, test } from 'vitest';
import { delivered } from '../../sandbox/service/examples.ts';
import type { Person } from '../support/person.ts';
import { MINUTE, openWorldAsleep, sharedWorld } from '../support/world.ts';

const LINK = '{"resetLink": "https://shop.example/reset"}';

async function fillIn(person: Person, workflow: string, answers: Record<string, string>): Promise<void> {
  await person.closesAll();
  await person.types(`/notif trigger ${workflow}`);
  await person.seesModal(workflow);
  await person.fillsIn(answers);
  expect(await person.submits()).toEqual([]);
}

/** Confirms the preview and sends it. */
async function confirms(person: Person): Promise<void> {
  await person.fillsIn({ Preview: 'Yes, send' });
  expect(await person.submits()).toEqual([]);
}

const world = sharedWorld(() => openWorldAsleep({ environments: ['production', 'staging'] }));

describe('the test form', () => {
  beforeAll(async () => {
    const [production, staging] = [world.serviceOf('production').world, world.serviceOf('staging').world];
    production.plantEvent(delivered({ workflow: 'password-reset', createdAt: production.now() - 1_000 }));
    production.plantEvent(delivered({ workflow: 'order-shipped' }));
    staging.plantEvent(delivered({ workflow: 'marketing-news' }));
    await world.start();
    await world.log.until('"newEvents":2');
    await world.log.until('"newEvents":1');
  });

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
});

describe('a test', () => {
  const sent = () => world.service.requests.count('triggerEvents');
  const lastSent = () => world.service.requests.findLast(({ operation }) => operation === 'triggerEvents')?.body;

  test('is followed to its end in one direct message, to which the form points', async () => {
    const { ann, ben } = world;
    await fillIn(ann, 'password-reset', { Recipients: 'user-1', Payload: LINK });
    await ann.seesModal('Follow it in your DMs with Notif.');
    const begun = await ann.sees('Test of password-reset in production', ann.directMessages);
    world.passes(MINUTE);
    const ended = await ann.sees('✅ Test of password-reset in production · done', ann.directMessages);
    expect(ended.words).toContain('✅ user-1 delivered: email');
    expect(ended.spot).toEqual(begun.spot);
    expect(ben.messages()).toEqual([]);
  });

  test("reports why the service didn't accept it", async () => {
    const { ann } = world;
    await fillIn(ann, 'retired-welcome', { Recipients: 'user-1', Payload: LINK });
    const why = "🔴 The service refused 1 event of retired-welcome in production: the workflow isn't active";
    expect((await ann.seesModal(why)).words).toContain('Recipients');
    const ended = await ann.sees('Test of retired-welcome in production · done', ann.directMessages);
    expect(ended.words).toContain("🔴 user-1 not sent: the workflow isn't active");
  });

  test('reports that nothing was sent where it was asked if the form was closed', async () => {
    const { ann, service, slack } = world;
    service.faults.set('triggerEvents', { kind: 'status', status: 401 }, { times: 1 });
    slack.faults.next('views.update', { kind: 'error', error: 'not_found' });
    await fillIn(ann, 'password-reset', { Recipients: 'user-6', Payload: LINK });
    await ann.gets('Nothing was sent.');
  });

  test('to pasted recipients is previewed before it is sent, again when it was changed, and then reported for each recipient', async () => {
    const { ann } = world;
    const before = sent();
    await fillIn(ann, 'password-reset', {
      Recipients: `user-1 {"resetLink": "https://shop.example/1"}\nuser-2 ${LINK}`,
    });
    const preview = await ann.seesModal('Preview · 2 events of password-reset in production');
    expect(preview.words).toContain('1. user-1 { "resetLink": "https://shop.example/…" }');
    const [one, two] = ['user-1 {"resetLink": "https://shop.example/1"}', 'user-3 {"resetLink": "new"}'];
    await ann.fillsIn({ Preview: 'Yes, send', Recipients: `${one}\n${two}\n${one}` });
    expect(await ann.submits()).toEqual([]);
    await ann.seesModal('2. user-3');
    expect(sent()).toBe(before);
    await confirms(ann);
    await ann.seesModal('Follow it in your DMs with Notif.');
    world.passes(MINUTE);
    const ended = await ann.sees('2 of 2 done', ann.directMessages);
    expect(ended.words).toContain('user-1 | ✅ delivered: email | 1');
    expect(ended.words).toContain('user-3 | ✅ delivered: email | 2');
    expect(lastSent()).toMatchObject({
      events: [
        { to: [{ subscriberId: 'user-1' }], payload: { resetLink: 'https://shop.example/1' } },
        { to: [{ subscriberId: 'user-3' }], payload: { resetLink: 'new' } },
      ],
    });
  });

  test('stays in its form while the service is unreachable, and is sent once after a double click', async () => {
    const { ann, lines, slack } = world;
    const ids = Array.from({ length: 8 }, (_, index) => `crowd-${index + 1} {"resetLink": "r"}`);
    await fillIn(ann, 'password-reset', { Recipients: [...ids, 'bad!id', 'worse!id'].join('\n'), Payload: LINK });
    await ann.seesModal('Preview · 10 events');
    await lines.service.cut();
    await confirms(ann);
    await ann.seesModal('Nothing was sent.');
    await lines.service.restore();
    const before = sent();
    expect(await ann.submits()).toEqual([]);
    await ann.seesModal('Preview · 10 events');
    await ann.fillsIn({ Preview: 'Yes, send' });
    await Promise.all([ann.submits(), ann.submits()]);
    await slack.faults.redeliver();
    await ann.gets('This was submitted already: nothing is sent twice.');
    world.passes(MINUTE);
    const ended = await ann.sees('10 of 10 done', ann.directMessages);
    expect(ended.words).toContain('🔴 2 not sent');
    expect(ended.words).toContain("bad!id | 🔴 not sent: the service doesn't accept this subscriber ID | 9");
    expect(ended.words).toContain('🟠 8 undeliverable');
    const { words } = await ann.asks('/notif subscriber crowd-1');
    expect(words).toContain('🟠 undeliverable');
    expect(sent()).toBe(before + 1);
    expect((await ann.asks('/notif audit')).words.match(/10 events/g)).toHaveLength(2);
  });

  test('explains why the whole request was refused and by which line, and is sent again as a new request', async () => {
    const { ann, service } = world;
    const reason = { messages: ['to must be a subscriber'], value: 'user-10' };
    const body = JSON.stringify({ message: 'Validation Error', errors: { 'events.1.to': reason, 'events.0': {} } });
    service.faults.set('triggerEvents', { kind: 'body', status: 422, body }, { times: 1 });
    await fillIn(ann, 'password-reset', { Recipients: `user-9 ${LINK}\nuser-10 ${LINK}` });
    await ann.seesModal('Preview · 2 events');
    await confirms(ann);
    const refused = await ann.seesModal('Nothing was sent.');
    expect(refused.words).toContain(
      'it refused the request (422): line 2 (user-10): to: to must be a subscriber; line 1 (user-9): invalid.',
    );
    const key = () => service.requests.findLast(({ operation }) => operation === 'triggerEvents')?.key;
    const first = key();
    expect(await ann.submits()).toEqual([]);
    await ann.seesModal('Preview · 2 events');
    await confirms(ann);
    await ann.seesModal('Follow it in your DMs with Notif.');
    expect(key()).not.toBe(first);
  });

  test("to an ID that the service doesn't know is previewed, because it creates that subscriber", async () => {
    const { ann, service } = world;
    const before = sent();
    await fillIn(ann, 'password-reset', { Recipients: 'never-seen-1', Payload: LINK });
    const preview = await ann.seesModal('Preview · 1 event of password-reset in production');
    expect(preview.words).toContain("production doesn't know never-seen-1. Sending this creates that subscriber.");
    expect(sent()).toBe(before);
    await confirms(ann);
    await ann.seesModal('Follow it in your DMs with Notif.');
    expect(service.world.subscribers.has('never-seen-1')).toBe(true);
    await fillIn(ann, 'password-reset', { Recipients: 'user-1\nnever-seen-1\nnever-seen-2', Payload: LINK });
    const several = await ann.seesModal('Preview · 3 events');
    expect(several.words).toContain("doesn't know never-seen-2. Sending this creates that subscriber.");
    await ann.closesAll();
  });

  test('is previewed where nobody can tell whom the service knows, and sent', async () => {
    const { ann, service } = world;
    const repair = service.faults.set('listMessages', { kind: 'status', status: 500 });
    await fillIn(ann, 'password-reset', { Recipients: 'user-16', Payload: LINK });
    const preview = await ann.seesModal('Preview · 1 event of password-reset in production');
    expect(preview.words).toContain("Notif can't check whether production knows user-16");
    await confirms(ann);
    await ann.seesModal('Follow it in your DMs with Notif.');
    repair();
  });

  test('that the service accepts without making an event is said to have none after ten minutes', async () => {
    const { ann, service } = world;
    const body = JSON.stringify([{ acknowledged: true, status: 'processed' }]);
    service.faults.set('triggerEvents', { kind: 'body', status: 201, body }, { times: 1 });
    await fillIn(ann, 'password-reset', { Recipients: 'user-15', Payload: LINK });
    await ann.seesModal('Follow it in your DMs with Notif.');
    await ann.sees('⏳ user-15 in progress', ann.directMessages);
    world.passes(11 * MINUTE);
    const ended = await ann.sees('🟡 user-15 the service accepted it and made no event', ann.directMessages);
    expect(ended.words).toContain('Test of password-reset in production · done');
    expect(ended.words).toContain('usually its workflow has no active steps');
    expect(ended.words).not.toContain('look it up later');
  });

  test('is followed to its end over a restart, in the same message, and not sent again', async () => {
    const { ann, stop, start, passes } = world;
    const before = sent();
    await fillIn(ann, 'appointment-reminder', {
      Recipients: 'user-12',
      Payload: '{"startsAt": "2030-01-01T09:00:00Z"}',
    });
    const begun = await ann.sees('⏳ user-12 in progress', ann.directMessages);
    await stop();
    passes(200 * MINUTE);
    await start();
    const ended = await ann.sees('✅ user-12 delivered', ann.directMessages);
    expect(ended.spot).toEqual(begun.spot);
    expect(sent()).toBe(before + 1);
  });
});
