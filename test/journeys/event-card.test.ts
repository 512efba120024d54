import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failed, leaky } from '../../sandbox/notification-service/examples.ts';
import { plantedSecrets } from '../../sandbox/notification-service/provider-failures.ts';
import { openWorld, POLLS_ONCE, type World } from '../support/world.ts';

describe('an event card', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ variables: POLLS_ONCE });
  });
  afterAll(() => world.close());

  test('is shared with the channel by a click, without private parts', async () => {
    const { ann, ben, service } = world;
    const event = service.world.plantEvent(leaky({ subscriber: 'user-12' }));
    const card = await ann.asks(`/notif event ${event._id}`);
    await ann.clicks('Share', card);
    const shared = await ben.sees('Shared by');
    expect(shared.onlyFor).toBeNull();
    expect(shared.words).toContain('🔴 Failed · order-shipped for user-12');
    expect(shared.words).toContain(`Shared by ⟨user ${ann.id}⟩`);
    for (const secret of Object.values(plantedSecrets)) expect(shared.words).not.toContain(secret);
  });

  test('is shared once by two clicks at the same time, and again by a later one', async () => {
    const { ann, ben, service } = world;
    const event = service.world.plantEvent(failed('email', { subscriber: 'user-26' }));
    const card = await ann.asks(`/notif event ${event._id}`);
    const shared = () => ben.messages().filter(({ words }) => words.includes('order-shipped for user-26'));
    await Promise.all([ann.clicks('Share', card), ann.clicks('Share', card)]);
    await expect.poll(shared).toHaveLength(1);
    await ann.asks('/notif help');
    expect(shared()).toHaveLength(1);
    await ann.clicks('Share', card);
    await expect.poll(shared).toHaveLength(2);
  });

  test("shows the event's current state in place after a click on Refresh", async () => {
    const { ann, service } = world;
    const event = service.world.plantEvent(failed('email', { subscriber: 'user-13' }));
    const card = await ann.asks(`/notif event ${event._id}`);
    service.world.updateJob(event._id, 0, { status: 'completed', executionDetails: [] });
    await ann.clicks('Refresh', card);
    const refreshed = await ann.gets('✅ Delivered · order-shipped for user-13');
    expect(refreshed.spot).toEqual(card.spot);
  });

  test('explains a failure under its step', async () => {
    const { ann, service } = world;
    const event = service.world.plantEvent(failed('sms', { subscriber: 'user-15' }));
    const card = await ann.asks(`/notif event ${event._id}`);
    const meaning = "💡 The 'To' number isn't a valid phone number · Recipient · send again once fixed";
    expect(card.words).toContain(meaning);
    expect(card.words).toContain("→ Correct the subscriber's phone number");
  });

  test('opens the whole event in a modal, page by page, without secrets', async () => {
    const { ann, service } = world;
    const { jobs = [] } = leaky();
    const event = service.world.plantEvent({ jobs: Array(10).fill(jobs).flat(), subscriber: 'user-14' });
    const card = await ann.asks(`/notif event ${event._id}`);
    const first = await ann.opens('View raw', card, 'Page 1 of');
    expect(first.words).toContain(event._id);
    const second = await ann.opens('Next page', first, 'Page 2 of');
    expect(second.words).not.toContain(event._id);
    await ann.opens('Previous page', second, 'Page 1 of');
  });
});
