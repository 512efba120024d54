import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failed } from '../../sandbox/notification-service/examples.ts';
import { openWorld, type World } from '../support/world.ts';

/** The main flow of the lists that the other tests try in Socket Mode. */
describe('lists over HTTP', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ mode: 'http' });
  });
  afterAll(() => world.close());

  test('page through messages and look up an event', async () => {
    const { ann, service } = world;
    for (let n = 0; n < 12; n++) service.world.plantEvent(failed('sms', { subscriber: 'posted-1' }));
    const first = await ann.asks('/notif messages subscriber:posted-1');
    await ann.clicks('Next messages', first);
    const last = await ann.gets('Messages 11–12 of 12');
    expect(last.spot).toEqual(first.spot);
    await ann.clicks('Look up', last);
    await ann.gets('🔴 Failed · order-shipped for posted-1');
  });

  test('show the integrations of one and of all environments, and share them', async () => {
    const { ann, ben } = world;
    const own = await ann.asks('/notif integrations channel:email');
    await ann.clicks('All environments', own);
    const all = await ann.gets('Email in environment');
    await ann.clicks('Share', all);
    await ben.sees('Shared by');
  });

  test('page through a topic and show the neighbors of a subscriber', async () => {
    const { ann } = world;
    await ann.clicks('Next subscribers', await ann.asks('/notif topic news-readers'));
    await ann.gets('user-30 ·');
    await ann.clicks('Around it', await ann.asks('/notif topic news-readers subscriber:user-20'));
    await ann.gets('this one was asked for');
  });
});
