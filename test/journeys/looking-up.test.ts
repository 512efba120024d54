import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delivered, failed, mergedByDigest, topicFanOut } from '../../sandbox/notification-service/examples.ts';
import { openWorld, POLLS_ONCE, type World } from '../support/world.ts';

describe('looking up a notification', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ variables: POLLS_ONCE });
  });
  afterAll(() => world.close());

  test("shows an event's outcome and reason only to the person who asked", async () => {
    const { ann, ben, service } = world;
    const event = service.world.plantEvent(failed('email', { subscriber: 'user-0042' }));
    const answer = await ann.asks(`/notif event ${event._id}`);
    expect(answer.words).toMatch(
      /^production · 🔴 Failed · order-shipped for user-0042\nEmail · SendGrid: Unauthorized \(401\)/,
    );
    expect(answer.words).toContain(`Transaction ${event.transactionId}`);
    expect(answer.fallbackText).toContain(
      '🔴 Failed · order-shipped for user-0042. Email · SendGrid: Unauthorized (401)',
    );
    expect(ben.messages()).toEqual([]);
  });

  test('looks up an ID that is typed without a command', async () => {
    const { ann, service } = world;
    const event = service.world.plantEvent(delivered({ subscriber: 'bare-id' }));
    const answer = await ann.asks(`/notif ${event._id}`);
    expect(answer.words).toContain('✅ Delivered · order-shipped for bare-id');
  });

  test('looks up an ID as it was pasted with its label', async () => {
    const { ann, service } = world;
    const event = service.world.plantEvent(delivered({ subscriber: 'labelled' }));
    const answer = await ann.asks(`/notif 2026-11-22T06:44:30Z ERROR mailer: send failed for eventId=${event._id}`);
    expect(answer.words).toContain('✅ Delivered · order-shipped for labelled');
    expect(answer.words).toContain(event._id);
  });

  test('looks up a subscriber by a label, and an ID behind a word that resembles a command', async () => {
    const { ann, service } = world;
    service.world.plantEvent(delivered({ subscriber: 'user-4711', transactionId: 'txn_4711' }));
    expect((await ann.asks('/notif subscriberId: user-4711')).words).toContain('Subscriber user-4711');
    expect((await ann.asks('/notif Message: txn_4711 failed')).words).toContain('order-shipped for user-4711');
    expect((await ann.asks('/notif event tx:txn_4711')).words).toContain('order-shipped for user-4711');
  });

  test('finds the transaction that tx: names, whatever it looks like', async () => {
    const { ann, service } = world;
    service.world.plantEvent(delivered({ subscriber: 'by-filter', transactionId: '12345' }));
    expect((await ann.asks('/notif tx:12345')).words).toContain('✅ Delivered · order-shipped for by-filter');
  });

  test('finds an event by its transaction', async () => {
    const { ann, service } = world;
    service.world.plantEvent(delivered({ subscriber: 'by-transaction', transactionId: 'txn_8f2c91' }));
    const answer = await ann.asks('/notif event txn_8f2c91');
    expect(answer.words).toContain('✅ Delivered · order-shipped for by-transaction');
  });

  test('finds an event by a link to the dashboard', async () => {
    const { ann, service } = world;
    const { _id } = service.world.plantEvent(delivered({ subscriber: 'by-link' }));
    const link = `https://dashboard.example.com/env/1/activity/workflow-runs?activityItemId=${_id}`;
    const answer = await ann.asks(`/notif event <${link}>`);
    expect(answer.words).toContain('✅ Delivered · order-shipped for by-link');
  });

  test('sums up a transaction of many events and offers each of them', async () => {
    const { ann, service } = world;
    const launch = { workflow: 'marketing-news', topics: ['news-readers'], transactionId: 'txn-launch' };
    for (const plan of topicFanOut(3, launch)) service.world.plantEvent(plan);
    service.world.plantEvent(failed('email', { ...launch, subscriber: 'reader-4' }));
    const answer = await ann.asks('/notif event txn-launch');
    expect(answer.words).toContain('txn-launch made 4 events of Marketing news by topic news-readers');
    expect(answer.words).toContain('🔴 1 failed · ✅ 3 delivered');
    expect(answer.words).toContain('1 × Email · SendGrid: Unauthorized (401)');
    await ann.picks('🔴 failed · reader-4', 'event.look-up', answer);
    await ann.gets('🔴 Failed · marketing-news for reader-4');
  });

  test('offers the digest that a merged event went into', async () => {
    const { ann, service } = world;
    const digest = service.world.plantEvent(delivered({ workflow: 'weekly-digest', subscriber: 'reader-77' }));
    const merged = service.world.plantEvent(mergedByDigest(digest._id, { subscriber: 'reader-77' }));
    const card = await ann.asks(`/notif event ${merged._id}`);
    expect(card.words).toContain(`Merged by a digest into ${digest._id}`);
    await ann.clicks('Look that up', card);
    const swallower = await ann.gets('✅ Delivered · weekly-digest for reader-77');
    expect(swallower.words).toContain(`Event ${digest._id}`);
  });

  test('says that there is no such event, and possible reasons', async () => {
    const answer = await world.ann.asks('/notif event 65f2a1c0d4e5f60718293a4b');
    expect(answer.words).toContain(
      'No event, transaction, subscriber or topic 65f2a1c0d4e5f60718293a4b in production.',
    );
    expect(answer.words).toContain('It may be past retention, or too new to be listed.');
  });

  test.each([
    ['/notif event', 'Which event? Give its ID, its transaction ID or a link to it.', '/notif event txn_8f2c91'],
    ['/notif "', 'Notif looks up what happened to a notification', 'event events'],
    ['/notif failures help', '/notif failures [filters]', 'Filters:'],
    ['/notif evnt x', "evnt isn't a command. Did you mean /notif event?", 'To look it up as an ID: /notif event evnt.'],
    [
      '/notif event txn_1 color:red',
      "color: isn't a filter. /notif event takes tx:, env:.",
      'For example: /notif event tx:',
    ],
    [
      '/notif a•••@example.com',
      'This ID is masked, and the service knows only the whole one.',
      'For example: /notif event txn_8f2c91',
    ],
    ['/notif #4711', '⚠️ No ', 'incident'],
  ])('answers %s with what is wrong and an example', async (line, what, next) => {
    const answer = await world.ann.asks(line);
    expect(answer.words).toContain(what);
    expect(answer.words).toContain(next);
  });
});
