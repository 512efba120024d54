import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delivered, failed, hostile, hostileText } from '../../sandbox/service/examples.ts';
import { ONCALL, type Person } from '../support/person.ts';
import { openWorld, POLLS_ONCE, type World } from '../support/world.ts';

describe('/notif messages and /notif topic', () => {
  let world: World;
  let ann: Person;
  beforeAll(async () => {
    world = await openWorld({ variables: POLLS_ONCE });
    ann = world.ann;
  });
  afterAll(() => world.close());

  /** Plants an in-app message that has every field and state that one can have. */
  function plantInbox(subscriber: string) {
    const event = world.service.world.plantEvent(delivered({ subscriber, contextKeys: ['tenant:acme', 'app:shop'] }));
    const [inbox] = world.service.world.messages
      .byTransaction(event.transactionId)
      .filter(({ message }) => message.channel === 'in_app');
    Object.assign(inbox?.message ?? {}, {
      title: 'Your order is on its way',
      deliveredAt: ['2026-03-04T12:00:00.000Z', '2026-03-04T15:30:00.000Z'],
      seen: true,
      read: true,
      lastSeenDate: '2026-03-04T12:01:00.000Z',
      lastReadDate: '2026-03-04T12:02:00.000Z',
      cta: {
        type: 'redirect',
        data: { url: 'https://shop.example.com/orders/17?token=t0psecret' },
        action: { status: 'pending', buttons: [{ type: 'primary', content: 'Track it' }] },
      },
    });
    return event;
  }

  test('show why a message was refused, only to the person who asked, and look up its event', async () => {
    const event = world.service.world.plantEvent(failed('email', { subscriber: 'refused-1' }));
    const answer = await ann.asks('/notif messages subscriber:refused-1');
    expect(answer.words).toMatch(/^production · 1 message\n/);
    expect(answer.words).toMatch(/🔴 Email · SendGrid: Unauthorized \(401\) \| .* \| order-shipped \| refused-1 \| –/);
    expect(answer.words).toContain('Subscriber refused-1');
    expect(world.ben.messages()).toEqual([]);
    await ann.picks(`🔴 ${event.transactionId}`, 'event.look-up', answer);
    await ann.gets(`Event ${event._id}`);
  });

  test('filter by several transactions and exact contexts', async () => {
    const [one, other] = ['ctx-1', 'ctx-2'].map((subscriber) => plantInbox(subscriber).transactionId);
    const both = await ann.asks(`/notif messages tx:${one},${other}`);
    expect(both.words).toContain('production · 4 messages');
    const exact = await ann.asks(`/notif messages tx:${one},${other} context:app:shop,tenant:acme channel:email`);
    expect(exact.words).toContain('production · 2 messages');
    const part = await ann.asks(`/notif messages tx:${one} context:app:shop`);
    expect(part.words).toContain('production · no messages');
  });

  test('load as many as fit, and more after a click', async () => {
    for (let n = 0; n < 123; n++) world.service.world.plantEvent(failed('sms', { subscriber: 'many-1' }));
    const first = await ann.asks('/notif messages subscriber:many-1');
    const [, shown] = /production · (\d+) of 123 messages/.exec(first.words) ?? [];
    expect(Number(shown)).toBeGreaterThan(30);
    await ann.clicks('Load more', first);
    await ann.gets(`${Number(shown) + 1}–`);
  });

  test('say that the environment has no such subscriber, and mark a deleted one', async () => {
    const nobody = await ann.asks('/notif messages subscriber:nobody-at-all');
    expect(nobody.words).toContain('production knows no subscriber nobody-at-all.\nUse the ID that triggers use.');
    world.service.world.plantEvent(failed('email', { subscriber: 'gone-1' }));
    world.service.world.subscriber('gone-1').deleted = true;
    expect((await ann.asks('/notif messages subscriber:gone-1')).words).toContain('gone-1 (deleted)');
  });

  test('show text from strangers as text', async () => {
    const { transactionId } = world.service.world.plantEvent(hostile({ subscriber: hostileText }));
    for (const { message } of world.service.world.messages.byTransaction(transactionId)) {
      Object.assign(message, { subject: hostileText, providerId: hostileText });
    }
    const answer = await ann.asks(`/notif messages tx:${transactionId}`);
    expect(answer.words).not.toMatch(/[⟨⟩]/);
  });

  test('list subscribers of a topic with masked contacts', async () => {
    const answer = await ann.asks('/notif topic vip');
    expect(answer.words).toMatch(/^production · topic vip \(VIP\) · 3 subscriptions\n/);
    expect(answer.words).toMatch(/user-43 \| [A-Z]\. [A-Z]\. · .•••@people\.sandbox\.example \| \d{4}-/);
    expect(answer.words.indexOf('user-43')).toBeLessThan(answer.words.indexOf('user-41'));
  });

  test('load more subscribers after a hundred, in either order', async () => {
    world.service.world.plantTopic(
      'many',
      Array.from({ length: 130 }, (_, n) => `many-${n}`),
    );
    const first = await ann.asks('/notif topic many');
    const [, shown] = /(\d+) of 130 subscriptions/.exec(first.words) ?? [];
    await ann.clicks('Load more', first);
    await ann.gets(`${Number(shown) + 1}–`);
    expect((await ann.asks('/notif topic many sort:oldest')).words).toContain('many-0 |');
  });

  test("say that a subscriber isn't subscribed", async () => {
    const answer = await ann.asks('/notif topic news-readers subscriber:user-99');
    expect(answer.words).toContain('no subscriptions');
    expect(answer.words).toContain('Not subscribed, or unknown to the service');
  });

  test("mark a subscription whose subscriber was deleted, and say that a topic doesn't exist", async () => {
    world.service.world.plantTopic('leavers', ['leaver-1']);
    world.service.world.subscriber('leaver-1').deleted = true;
    expect((await ann.asks('/notif topic leavers')).words).toContain('deleted subscriber |');
    expect((await ann.asks('/notif topic nowhere')).words).toContain("Use the topic's key, not its name");
  });

  test('share the subscribers of a topic', async () => {
    await ann.clicks('Share', await ann.asks('/notif topic vip'));
    await world.ben.sees('user-41 |');
  });
});

describe('/notif integrations', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ variables: POLLS_ONCE });
  });
  afterAll(() => world.close());

  test("says that it doesn't know which belong to the environment before anything was sent", async () => {
    const answer = await world.ann.asks('/notif integrations');
    expect(answer.words).toContain('production · 13 integrations');
    expect(answer.words).toContain('⚠️ Which of them belong to production is unknown');
  });

  test("shows an environment's integrations by channel, with their problems", async () => {
    const { ann, service } = world;
    service.world.plantEvent(delivered());
    const [inbox, sendgrid, ses, twilio] = service.world.integrations;
    if (ses) ses.configurations = {};
    if (twilio) twilio.active = false;
    const children = [{ field: 'locale', value: 'de', operator: 'EQUAL', on: 'subscriber' as const }];
    sendgrid?.conditions.push({ isNegated: false, type: 'GROUP', value: 'AND', children });
    const answer = await ann.asks('/notif integrations');
    expect(answer.words).toContain('production · 7 integrations');
    expect(answer.words).toContain('⚠️ No active SMS integration: nothing is sent by SMS');
    expect(answer.words).toContain(`Inbox | in-app | built in | ${inbox?.identifier} | ✅ active · primary`);
    expect(answer.words).toContain(
      `${sendgrid?.identifier} | ✅ active · primary · only under conditions on subscriber.locale · inbound webhook on`,
    );
    expect(answer.words).toContain('🟡 no inbound webhook: its bounces may never arrive');
    expect(answer.words).toMatch(/Amazon SES \(retired\) .* 🗑️ deleted \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    expect(answer.words).toContain('⏸️ inactive');
    expect(world.ben.messages()).toEqual([]);
  });

  test('shares its answer', async () => {
    const answer = await world.ann.asks('/notif integrations provider:sendgrid');
    await world.ann.clicks('Share', answer);
    expect((await world.ben.sees('Shared by')).words).toContain('✅ active');
  });

  test('names the incident of an integration whose sends all fail', async () => {
    const { ann, service } = world;
    for (const n of [1, 2, 3, 4, 5, 6]) service.world.plantEvent(failed('email', { subscriber: `user-${n}` }));
    await ann.asks('/notif failures');
    await ann.sees('6 people', ONCALL);
    const answer = await ann.asks('/notif integrations channel:email');
    expect(answer.words).toContain('Incident #1: SendGrid refuses every email: API key refused (401)');
    await ann.choosesFromMenu('Acknowledge', answer);
    expect((await ann.gets('cknowledged')).words).toContain('👀 Acknowledged #1.');
  });
});

describe('a list', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ variables: POLLS_ONCE });
  });
  afterAll(() => world.close());

  test.each([
    ['messages txn_8f2c91', 'For example: /notif messages channel:email,sms'],
    ['messages channel:emial', 'There is no channel emial. Did you mean email?'],
    ['messages severity:high', "can't filter by severity:. It takes channel:, subscriber:, tx:, context:, env:."],
    ['topic', 'Which topic? Give its key.'],
    ['topic news readers', 'For example: /notif topic "news readers"'],
    ['topic vip sort:name', 'There is no order name. There are: newest, oldest.'],
    ['integrations sendgrid', 'For example: /notif integrations channel:email,sms'],
  ])('corrects /notif %s', async (line, words) => {
    expect((await world.ann.asks(`/notif ${line}`)).words).toContain(words);
  });

  test.each([
    ['messages', 'listMessages'],
    ['topic vip', 'listTopicSubscriptions'],
    ['integrations', 'listIntegrations'],
  ] as const)("explains why the service's answer couldn't be read: /notif %s", async (line, operation) => {
    world.service.faults.set(operation, { kind: 'status', status: 401 }, { times: 1 });
    const { words } = await world.ann.asks(`/notif ${line}`);
    expect(words).toContain("Couldn't read from production: the API key was refused (401).");
  });
});
