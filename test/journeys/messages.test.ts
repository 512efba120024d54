import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delivered, failed, hostile, hostileText } from '../../sandbox/notification-service/examples.ts';
import type { Person } from '../support/person.ts';
import { openWorld, POLLS_ONCE, type World } from '../support/world.ts';

describe('/notif messages', () => {
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
      snoozedUntil: '2026-03-05T08:00:00.000Z',
      cta: {
        type: 'redirect',
        data: { url: 'https://shop.example.com/orders/17?token=t0psecret' },
        action: { status: 'pending', buttons: [{ type: 'primary', content: 'Track it' }] },
      },
    });
    return event;
  }

  test('shows why a message was refused, only to the person who asked, and looks up its event', async () => {
    const event = world.service.world.plantEvent(failed('email', { subscriber: 'refused-1' }));
    const answer = await ann.asks('/notif messages subscriber:refused-1');
    expect(answer.words).toMatch(/^production · 1 message\n/);
    expect(answer.words).toMatch(/🔴 Email · SendGrid: Unauthorized \(401\) \| .* \| order-shipped \| –/);
    expect(answer.words).toContain('Only subscriber refused-1');
    expect(world.ben.messages()).toEqual([]);
    await ann.picks(`🔴 ${event.transactionId}`, 'event.look-up', answer);
    await ann.gets(`Event ${event._id}`);
  });

  test('filters by several transactions and exact contexts', async () => {
    const [one, other] = ['ctx-1', 'ctx-2'].map((subscriber) => plantInbox(subscriber).transactionId);
    const both = await ann.asks(`/notif messages tx:${one},${other}`);
    expect(both.words).toContain('production · 4 messages');
    const exact = await ann.asks(`/notif messages tx:${one},${other} context:app:shop,tenant:acme channel:email`);
    expect(exact.words).toContain('production · 2 messages');
    const part = await ann.asks(`/notif messages tx:${one} context:app:shop`);
    expect(part.words).toContain('production · no messages');
  });

  test('loads as many as fit, and more after a click', async () => {
    for (let n = 0; n < 123; n++) world.service.world.plantEvent(failed('sms', { subscriber: 'many-1' }));
    const first = await ann.asks('/notif messages subscriber:many-1');
    const [, shown] = /production · (\d+) of 123 messages/.exec(first.words) ?? [];
    expect(Number(shown)).toBeGreaterThan(30);
    await ann.clicks('Load more', first);
    await ann.gets(`${Number(shown) + 1}–`);
  });

  test('shares the list with everybody, without subjects', async () => {
    const { transactionId } = plantInbox('shared-1');
    await ann.clicks('Share', await ann.asks(`/notif messages tx:${transactionId}`));
    const shared = await world.ben.sees('Shared by');
    expect(shared.words).toContain('shared-1');
    expect(shared.words).not.toContain('on its way');
  });

  test('says that the environment has no such subscriber', async () => {
    const nobody = await ann.asks('/notif messages subscriber:nobody-at-all');
    expect(nobody.words).toContain('production knows no subscriber nobody-at-all.\nUse the ID that triggers use.');
  });

  test('marks a deleted subscriber', async () => {
    world.service.world.plantEvent(failed('email', { subscriber: 'gone-1' }));
    world.service.world.subscriber('gone-1').deleted = true;
    const answer = await ann.asks('/notif messages subscriber:gone-1');
    expect(answer.words).toContain('gone-1 (deleted)');
  });

  test('shows text from strangers as text', async () => {
    const { transactionId } = world.service.world.plantEvent(hostile({ subscriber: hostileText }));
    for (const { message } of world.service.world.messages.byTransaction(transactionId)) {
      Object.assign(message, { subject: hostileText, providerId: hostileText });
    }
    const answer = await ann.asks(`/notif messages tx:${transactionId}`);
    expect(answer.words).not.toMatch(/[⟨⟩]/);
  });

  test.each([
    ['/notif messages txn_8f2c91', 'For example: /notif messages channel:email,sms'],
    ['/notif messages channel:emial', 'There is no channel emial. Did you mean email?'],
    [
      '/notif messages severity:high',
      "can't filter by severity:. It takes channel:, subscriber:, tx:, context:, env:.",
    ],
  ])('corrects %s', async (line, words) => {
    expect((await ann.asks(line)).words).toContain(words);
  });

  test("explains why messages couldn't be read", async () => {
    world.service.faults.set('listMessages', { kind: 'status', status: 401 }, { times: 1 });
    const answer = await ann.asks('/notif messages');
    expect(answer.words).toContain("Couldn't read from production: the API key was refused (401).");
  });
});
