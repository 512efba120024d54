import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delivered, failed } from '../../sandbox/notification-service/examples.ts';
import { ONCALL } from '../support/person.ts';
import { openWorld, POLLS_ONCE, type World } from '../support/world.ts';

describe('ways to look up a notification', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ environments: ['production', 'staging'], variables: POLLS_ONCE });
  });
  afterAll(() => world.close());

  test('include env: for another environment', async () => {
    const { ann, serviceOf } = world;
    const event = serviceOf('staging').world.plantEvent(delivered({ subscriber: 'tester' }));
    const answer = await ann.asks(`/notif event ${event._id} env:staging`);
    expect(answer.words).toMatch(/^staging · ✅ Delivered · order-shipped for tester/);
  });

  test('reject an unknown environment and name the configured ones', async () => {
    const answer = await world.ann.asks('/notif event txn_1234 env:mars');
    expect(answer.words).toContain('There is no environment mars. There are: production, staging.');
  });

  test('include a message shortcut, whose answer only that person sees', async () => {
    const { ann, ben, service } = world;
    const event = service.world.plantEvent(failed('email', { subscriber: 'complainer' }));
    await ben.types(`a customer complains about ${event._id}`, ONCALL);
    await ann.choosesMessageShortcut('look_up_notification', await ann.sees(event._id, ONCALL));
    await ann.gets('🔴 Failed · order-shipped for complainer', ONCALL);
    expect(ben.messages(ONCALL).some(({ words }) => words.includes('complainer'))).toBe(false);
  });

  test('let the person choose if a message has several IDs', async () => {
    const { ann, ben, service } = world;
    const [one, other] = ['first', 'second'].map((subscriber) => service.world.plantEvent(delivered({ subscriber })));
    await ben.types(`either ${one?._id} or ${other?.transactionId}`, ONCALL);
    await ann.choosesMessageShortcut('look_up_notification', await ann.sees('either', ONCALL));
    const choice = await ann.gets('2 IDs are in this text. Which one?', ONCALL);
    await ann.clicks('Look up', choice, other?.transactionId);
    await ann.gets('✅ Delivered · order-shipped for second', ONCALL);
  });

  test('say which IDs Notif looks for if a message has none', async () => {
    const { ann, ben } = world;
    await ben.types('lunch at noon?', ONCALL);
    await ann.choosesMessageShortcut('look_up_notification', await ann.sees('lunch', ONCALL));
    const answer = await ann.gets('There is no ID in this text.', ONCALL);
    expect(answer.words).toContain('Notif looks for event IDs (24 hex digits)');
  });

  test('include the global shortcut, which answers in its modal', async () => {
    const { ann, serviceOf } = world;
    serviceOf('staging').world.plantEvent(delivered({ subscriber: 'from-anywhere', transactionId: 'txn_anywhere' }));
    await ann.choosesShortcut('find_notification');
    await ann.seesModal('Find a notification');
    await ann.fillsIn({ 'What to look for': 'txn_anywhere', Environment: 'staging' });
    expect(await ann.submits()).toEqual([]);
    await ann.seesModal('staging · ✅ Delivered · order-shipped for from-anywhere');
  });

  test('find, by the shortcut, any ID in a text, and take a plain word as a transaction', async () => {
    const { ann, service } = world;
    service.world.plantEvent(delivered({ subscriber: 'from-a-form', transactionId: 'holiday' }));
    const finds = async (target: string, words: string) => {
      await ann.choosesShortcut('find_notification');
      await ann.seesModal('Find a notification');
      await ann.fillsIn({ 'What to look for': target });
      expect(await ann.submits()).toEqual([]);
      return ann.seesModal(words);
    };
    await finds('subscriber:from-a-form', 'from-a-form');
    await finds('tx:holiday', 'Delivered · order-shipped for from-a-form');
    await finds('holiday', 'Delivered · order-shipped for from-a-form');
    await finds('anna@example.com and txn_1234', '2 IDs are in this text. Which one?');
  });

  test('find the ID of a subscriber or a topic, and say which it is', async () => {
    const { ann, service } = world;
    service.world.plantEvent(delivered({ subscriber: 'user-113' }));
    for (const line of ['/notif user-113', '/notif event user-113', '/notif USER-113']) {
      const answer = await ann.asks(line);
      if (line.endsWith('USER-113')) expect(answer.words).toContain('No event, transaction, subscriber or topic');
      else expect(answer.words).toMatch(/^production · Subscriber user-113 · 1 event/);
    }
    expect((await ann.asks('/notif event news-readers')).words).toMatch(/^production · topic news-readers/);
  });

  test('offer each thing that has the ID', async () => {
    const { ann, service } = world;
    service.world.plantEvent(delivered({ subscriber: 'news-readers' }));
    const both = await ann.asks('/notif event news-readers');
    expect(both.words).toContain('news-readers is the ID of a subscriber and of a topic in production.');
    await ann.clicks('View events', both);
    await ann.gets('production · Subscriber news-readers');
    await ann.clicks('View subscriptions', both);
    await ann.gets('production · topic news-readers');
  });

  test('find the subscriber whose ID is in a message', async () => {
    const { ann, ben, service } = world;
    service.world.plantEvent(failed('email', { subscriber: 'user-114' }));
    await ben.types('user-114 gets no mail', ONCALL);
    await ann.choosesMessageShortcut('look_up_notification', await ann.sees('user-114 gets', ONCALL));
    await ann.gets('production · Subscriber user-114', ONCALL);
  });

  test("keep the form's input if nothing is found", async () => {
    const { ann, service } = world;
    await ann.choosesShortcut('find_notification');
    await ann.seesModal('Find a notification');
    await ann.fillsIn({ 'What to look for': 'user-115', Environment: 'staging' });
    expect(await ann.submits()).toEqual([]);
    const form = await ann.seesModal('No event, transaction, subscriber or topic user-115 in staging.');
    expect(form.words).toMatch(/\nuser-115\nEnvironment\n/);
    service.world.plantEvent(delivered({ subscriber: 'user-115' }));
    await ann.fillsIn({ Environment: 'production' });
    expect(await ann.submits()).toEqual([]);
    await ann.seesModal('production · Subscriber user-115');
  });

  test('report an invalid ID under its field', async () => {
    const { ann } = world;
    await ann.choosesShortcut('find_notification');
    await ann.seesModal('Find a notification');
    await ann.fillsIn({ 'What to look for': 'two words' });
    expect(await ann.submits()).toEqual(['There is no ID, address or link in these words.']);
  });
});
