import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { delivered, failed } from '../../sandbox/notification-service/examples.ts';
import { ONCALL } from '../support/person.ts';
import { openWorld, type World } from '../support/world.ts';

describe('other ways to a notification', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ environments: ['production', 'staging'] });
  });
  afterAll(() => world.close());

  it('looks in another environment by env:', async () => {
    const { ann, serviceOf } = world;
    const event = serviceOf('staging').world.plantEvent(delivered({ subscriber: 'tester' }));
    const answer = await ann.asks(`/notif event ${event._id} env:staging`);
    expect(answer.words).toMatch(/^staging · ✅ Delivered · order-shipped for tester/);
  });

  it('says where an event exists that the first environment does not know', async () => {
    const { ann, serviceOf } = world;
    const event = serviceOf('staging').world.plantEvent(failed('email', { subscriber: 'astray' }));
    const answer = await ann.asks(`/notif event ${event._id}`);
    expect(answer.words).toContain('It exists in staging.');
    await ann.clicks('Show', answer);
    await ann.gets('staging · 🔴 Failed · order-shipped for astray');
  });

  it('refuses an environment that nobody configured, and names those there are', async () => {
    const answer = await world.ann.asks('/notif event txn_1234 env:mars');
    expect(answer.words).toContain('There is no environment mars. There is production, staging.');
  });

  it('finds the id in a message, for the person alone', async () => {
    const { ann, ben, service } = world;
    const event = service.world.plantEvent(failed('email', { subscriber: 'complainer' }));
    await ben.types(`a customer complains about ${event._id}`, ONCALL);
    await ann.choosesMessageShortcut('look_up_notification', await ann.sees(event._id, ONCALL));
    await ann.gets('🔴 Failed · order-shipped for complainer', ONCALL);
    expect(ben.messages(ONCALL).some(({ words }) => words.includes('complainer'))).toBe(false);
  });

  it('lets the person choose among several ids of a message', async () => {
    const { ann, ben, service } = world;
    const [one, other] = ['first', 'second'].map((subscriber) => service.world.plantEvent(delivered({ subscriber })));
    await ben.types(`either ${one?._id} or ${other?.transactionId}`, ONCALL);
    await ann.choosesMessageShortcut('look_up_notification', await ann.sees('either', ONCALL));
    const choice = await ann.gets('2 ids are in this text. Which one?', ONCALL);
    await ann.clicks('Look up', choice, other?.transactionId);
    await ann.gets('✅ Delivered · order-shipped for second', ONCALL);
  });

  it('says what it looked for in a message without ids', async () => {
    const { ann, ben } = world;
    await ben.types('lunch at noon?', ONCALL);
    await ann.choosesMessageShortcut('look_up_notification', await ann.sees('lunch', ONCALL));
    const answer = await ann.gets('There is no id in this text.', ONCALL);
    expect(answer.words).toContain(
      'Notif looks for event ids (24 hex digits), transaction ids, links to the dashboard',
    );
  });

  it('finds a notification from anywhere by the shortcut, in its own window', async () => {
    const { ann, serviceOf } = world;
    serviceOf('staging').world.plantEvent(delivered({ subscriber: 'from-anywhere', transactionId: 'txn_anywhere' }));
    await ann.choosesShortcut('find_notification');
    await ann.seesModal('Find a notification');
    await ann.fillsIn({ 'What to look for': 'txn_anywhere', Environment: 'staging' });
    expect(await ann.submits()).toEqual([]);
    await ann.seesModal('staging · ✅ Delivered · order-shipped for from-anywhere');
  });

  it('finds by the shortcut whatever a text names, and a word that looks like nothing as a transaction', async () => {
    const { ann, service } = world;
    service.world.plantEvent(delivered({ subscriber: 'from-a-form', transactionId: 'holiday' }));
    const finds = async (sought: string, words: string) => {
      await ann.choosesShortcut('find_notification');
      await ann.seesModal('Find a notification');
      await ann.fillsIn({ 'What to look for': sought });
      expect(await ann.submits()).toEqual([]);
      return ann.seesModal(words);
    };
    await finds('subscriber:from-a-form', 'from-a-form');
    await finds('holiday', 'Delivered · order-shipped for from-a-form');
    await finds('anna@example.com and txn_1234', '2 ids are in this text. Which one?');
  });

  it('says under the field what is wrong with an id', async () => {
    const { ann } = world;
    await ann.choosesShortcut('find_notification');
    await ann.seesModal('Find a notification');
    await ann.fillsIn({ 'What to look for': 'two words' });
    expect(await ann.submits()).toEqual(['There is no id, address or link in these words.']);
  });
});
