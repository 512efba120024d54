import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../support/person.ts';
import { inWorld, openWorld, type World } from '../support/world.ts';

const LINK = '{"resetLink": "https://shop.example/reset"}';

/** Returns the events of the last bulk request. */
function lastSent({ service }: World): unknown {
  return service.requests.findLast(({ operation }) => operation === 'triggerEvents')?.body;
}

/** Confirms the preview and sends it. */
async function confirms(person: Person, answer = 'Yes, send'): Promise<void> {
  await person.fillsIn({ Preview: answer });
  expect(await person.submits()).toEqual([]);
}

async function fillIn(person: Person, answers: Record<string, string | string[]>): Promise<void> {
  await person.types('/notif trigger password-reset');
  await person.seesModal('password-reset');
  await person.fillsIn(answers);
  expect(await person.submits()).toEqual([]);
}

describe('a test from pasted rows', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const sent = () => world.service.requests.count('triggerEvents');

  test('is previewed before it is sent, then reported row by row', async () => {
    const { ann } = world;
    const before = sent();
    await fillIn(ann, {
      Subscribers: 'user-1 {"resetLink": "https://shop.example/1"}\nuser-2 {"resetLink": "https://shop.example/2"}',
    });
    const preview = await ann.seesModal('Preview · 2 events of password-reset in production');
    expect(preview.words).toContain('2. user-2 { "resetLink": "https://shop.example/…" }');
    expect(sent()).toBe(before);
    await confirms(ann);
    await ann.seesModal('Follow it in your DMs with Notif.');
    const ended = await ann.sees('2 of 2 done', ann.directMessages);
    expect(ended.words).toContain('✅ 1. user-1 delivered: email');
    expect(lastSent(world)).toMatchObject({
      events: [
        { to: [{ subscriberId: 'user-1' }], payload: { resetLink: 'https://shop.example/1' } },
        { to: [{ subscriberId: 'user-2' }], payload: { resetLink: 'https://shop.example/2' } },
      ],
    });
  });

  test('is previewed again when it was changed after the preview', async () => {
    const { ann } = world;
    const before = sent();
    await fillIn(ann, { Subscribers: `user-1 ${LINK}\nuser-2 ${LINK}` });
    await ann.seesModal('Preview · 2 events');
    await ann.fillsIn({ Preview: 'Yes, send', Subscribers: `user-1 ${LINK}\nuser-3 ${LINK}\nuser-1 ${LINK}` });
    expect(await ann.submits()).toEqual([]);
    const preview = await ann.seesModal('2. user-3');
    expect(preview.words).toContain('1 duplicate row left out: each row is sent once.');
    expect(sent()).toBe(before);
    await confirms(ann);
    await ann.sees('2. user-3 delivered', ann.directMessages);
  });

  test('explains each status, failures first, and lists a hundred rows', async () => {
    const { ann } = world;
    const ids = Array.from({ length: 98 }, (_, index) => `crowd-${index + 1}`);
    await fillIn(ann, { Subscribers: [...ids, 'bad!id', 'worse!id'].join('\n'), Payload: LINK });
    await ann.seesModal('Preview · 100 events');
    await confirms(ann);
    const ended = await ann.sees('100 of 100 done', ann.directMessages);
    expect(ended.words).toContain('🔴 2 not sent');
    expect(ended.words).toContain("🔴 99. bad!id not sent: the service doesn't accept this subscriber ID");
    expect(ended.words).toContain("invalid_recipients (2): the service doesn't accept this subscriber ID.");
    const list = await ann.opens('All 100 rows', ended, 'worse!id');
    expect(list.words).toContain('crowd-98');
  });

  test('keeps the input when nothing was sent, with what to do', async () => {
    const { ann, service } = world;
    service.faults.set('triggerEvents', { kind: 'status', status: 413 }, { times: 1 });
    await fillIn(ann, { Subscribers: `user-7 ${LINK}\nuser-8 ${LINK}` });
    await ann.seesModal('Preview · 2 events');
    await confirms(ann);
    const form = await ann.seesModal('Nothing was sent.');
    expect(form.words).toContain('Shorten the payload, or send fewer rows at once.');
    await ann.submits();
    await ann.seesModal('Preview · 2 events');
    await confirms(ann);
    await ann.sees('2. user-8 delivered', ann.directMessages);
  });

  test.each([
    [{ kind: 'status', status: 429, retryAfterSeconds: 60 }, 'A trigger costs as much of it as 100 other requests'],
    [
      {
        kind: 'words',
        status: 422,
        body: JSON.stringify({ message: 'Validation Error', errors: { 'events.1.to': {} } }),
      },
      'It objects to row 2 (user-10).',
    ],
  ] as const)('explains why the whole request was refused: %#', async (fault, words) => {
    const { ann, service } = world;
    service.faults.set('triggerEvents', fault, { times: 1 });
    await fillIn(ann, { Subscribers: `user-9 ${LINK}\nuser-10 ${LINK}` });
    await ann.seesModal('Preview · 2 events');
    await confirms(ann);
    const form = await ann.seesModal('Nothing was sent.');
    expect(form.words).toContain(words);
    await ann.closes();
  });

  test('reports in the channel of the command that nothing was sent when its modal is gone', async () => {
    const { ann, service, slack } = world;
    service.faults.set('triggerEvents', { kind: 'status', status: 401 }, { times: 1 });
    slack.faults.next('views.update', { kind: 'error', error: 'not_found' });
    await fillIn(ann, { Subscribers: `user-9 ${LINK}\nuser-10 ${LINK}` });
    await ann.seesModal('Preview · 2 events');
    await confirms(ann);
    await ann.gets('Nothing was sent.');
    await ann.closes();
  });

  test('sends what is advanced, and updates a profile only after a preview', async () => {
    const { ann, service } = world;
    const advanced = {
      ...{ transactionId: 'mine-11', tenant: 'acme', context: { region: 'eu' } },
      overrides: { sendgrid: { templateId: 'd-17' } },
      profile: { firstName: 'Ada', email: 'ada@example.com' },
    };
    await fillIn(ann, { Subscribers: `user-11 ${LINK}`, Advanced: JSON.stringify(advanced) });
    const preview = await ann.seesModal('This updates the subscriber at the service:');
    expect(preview.words).toContain('{ "firstName": "Ada", "email": "a•••@example.com" }');
    await confirms(ann);
    await ann.sees('user-11 delivered', ann.directMessages);
    expect(service.world.subscriber('user-11')).toMatchObject({ firstName: 'Ada', email: 'ada@example.com' });
    expect(lastSent(world)).toMatchObject({
      events: [{ transactionId: 'mine-11', tenant: 'acme', context: { region: 'eu' }, overrides: { sendgrid: {} } }],
    });
  });
});

describe('a test in a protected environment', () => {
  test(
    "is sent after its environment's name is typed",
    inWorld({ variables: { NOTIF_PRODUCTION_PROTECTED: 'true' } }, async ({ ann, service }) => {
      await fillIn(ann, { Subscribers: 'user-1', Payload: LINK });
      await ann.seesModal('production is a protected environment: type production to send there.');
      await ann.fillsIn({ Preview: 'staging' });
      expect(await ann.submits()).toEqual(['Type production, which is protected, to send there.']);
      expect(service.requests.count('triggerEvents')).toBe(0);
      await confirms(ann, 'production');
      await ann.sees('user-1 delivered', ann.directMessages);
    }),
  );
});

describe('one request and one audit entry', () => {
  const inTrail = async (person: Person) => (await person.asks('/notif audit')).words.match(/password-reset/g)?.length;

  test(
    'result from a form that is submitted twice and that Slack redelivers',
    inWorld({}, async ({ ann, service, slack }) => {
      await fillIn(ann, { Subscribers: `user-1 ${LINK}\nuser-2 ${LINK}` });
      await ann.seesModal('Preview · 2 events');
      await ann.fillsIn({ Preview: 'Yes, send' });
      await Promise.all([ann.submits(), ann.submits()]);
      slack.faults.redeliverLast();
      await ann.gets("This form was submitted already: it's sent only once.");
      await ann.sees('2 of 2 done', ann.directMessages);
      expect(service.requests.count('triggerEvents')).toBe(1);
      expect(await inTrail(ann)).toBe(1);
    }),
  );

  test(
    'result from a request whose answer was lost',
    inWorld({}, async ({ ann, service }) => {
      service.faults.set('triggerEvents', { kind: 'lost answer' }, { times: 1 });
      await fillIn(ann, { Subscribers: `user-1 ${LINK}\nuser-2 ${LINK}` });
      await ann.seesModal('Preview · 2 events');
      await confirms(ann);
      const ended = await ann.sees('2 of 2 done', ann.directMessages);
      expect(ended.words).toContain('No clear answer from the service, but everything went through.');
      expect(service.requests.count('triggerEvents')).toBe(1);
      expect(await inTrail(ann)).toBe(1);
    }),
  );
});
