import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delivered, failed } from '../../sandbox/notification-service/examples.ts';
import { GENERAL, ONCALL } from '../support/person.ts';
import { openWorld, type World } from '../support/world.ts';

/** The main flow of each surface, which the other tests try in Socket Mode, with a bot over HTTP. */
describe('a bot over HTTP', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ mode: 'http' });
    await world.log.until('events checked');
  });
  afterAll(() => world.close());

  test('opens no socket', () => {
    expect(world.slack.calls.of('apps.connections.open')).toHaveLength(0);
  });

  test('creates a watch, posts failures to its channel, and runs actions on the incident', async () => {
    const { ann, ben, service } = world;
    await ann.types('/notif watch', GENERAL);
    await ben.sees('created a watch here', GENERAL);
    for (let subscriber = 1; subscriber <= 12; subscriber++)
      service.world.plantEvent(failed('email', { subscriber: `user-${subscriber}` }));
    await ann.sees('12 people', GENERAL);
    const row = await ben.sees('12 people', ONCALL);
    await ben.choosesFromMenu('Acknowledge', row);
    await ann.sees('👀 ⟨user U0BEN⟩', GENERAL);
    await ann.clicks('Mute…', await ann.sees('production · SendGrid refuses every email', ONCALL));
    await ann.seesModal('For how long');
    expect(await ann.submits()).toEqual([]);
    await ben.sees('🔕 muted by ⟨user U0ANN⟩ until', ONCALL);
    await ben.clicks('View events', await ben.sees('production · SendGrid refuses every email', ONCALL));
    await ben.gets('· 12 failures', ONCALL);
  });

  test('looks up an event, shows it raw, shares it, and answers a mention', async () => {
    const { ann, ben, service } = world;
    const event = service.world.plantEvent(delivered({ subscriber: 'by-post' }));
    const card = await ann.asks(`/notif event ${event._id}`);
    expect(card.words).toContain('✅ Delivered · order-shipped for by-post');
    await ann.opens('View raw', card, '"subscriberId": "by-post"');
    await ann.closes();
    await ann.clicks('Share', card);
    await ben.sees('Shared by ⟨user U0ANN⟩');
    await ann.says(`@Notif what about ${event._id}?`, { channel: ONCALL });
    await ben.sees('✅ Delivered · order-shipped for by-post', ONCALL);
  });

  test('pages through failures', async () => {
    const { ann, service } = world;
    const causes = Array.from({ length: 12 }, (_, index) => `cause ${String.fromCharCode(97 + index)}`);
    for (const raw of causes) service.world.plantEvent(failed('sms', { subscriber: 'user-1' }, { raw }));
    await ann.sees('production · 12 new', GENERAL);
    const first = await ann.asks('/notif failures channel:sms');
    await ann.clicks('Next causes', first);
    await ann.gets('Causes 11–12 of 12');
  });

  test('answers shortcuts', async () => {
    const { ann, service } = world;
    service.world.plantEvent(delivered({ subscriber: 'found', transactionId: 'txn_found1' }));
    await ann.choosesShortcut('find_notification');
    await ann.seesModal('Find a notification');
    await ann.fillsIn({ 'What to look for': 'txn_found1' });
    expect(await ann.submits()).toEqual([]);
    await ann.seesModal('✅ Delivered · order-shipped for found');
    await ann.closes();
    await ann.types('what about txn_found1?', ONCALL);
    await ann.choosesMessageShortcut('look_up_notification', await ann.sees('what about txn_found1?', ONCALL));
    await ann.gets('✅ Delivered · order-shipped for found', ONCALL);
  });

  test('offers known workflows, reports an invalid form, and sends a test once', async () => {
    const { ann, slack, service } = world;
    await ann.choosesShortcut('send_test_notification');
    await ann.seesModal('Recipients');
    expect(await ann.isOffered('trigger.workflow', 'order')).not.toEqual([]);
    await ann.closes();
    const sent = () => service.requests.count('triggerEvents');
    const before = sent();
    await ann.types('/notif trigger password-reset');
    await ann.seesModal('password-reset');
    await ann.fillsIn({ Recipients: 'user-1', Payload: 'not JSON' });
    expect(await ann.submits()).toHaveLength(1);
    await ann.fillsIn({ Recipients: 'user-1', Payload: '{"resetLink": "https://shop.example/reset"}' });
    await Promise.all([ann.submits(), ann.submits()]);
    expect(await slack.forge('replay')).toBe(200);
    await ann.sees('✅ user-1 delivered', ann.directMessages);
    expect(sent()).toBe(before + 1);
  });

  test('publishes the Home tab', async () => {
    await world.ben.opensHome();
    await world.ben.seesHome('production');
  });

  test("rejects requests that aren't from Slack", async () => {
    const { slack, log } = world;
    expect(await slack.forge('wrong signature')).toBe(401);
    expect(await slack.forge('old timestamp')).toBe(401);
    expect(await slack.forge('altered body')).toBe(401);
    expect(log.saying('Failed to verify authenticity')).toHaveLength(3);
  });

  test('accepts requests again after a restart', async () => {
    await world.stop();
    await world.start();
    const answer = await world.ann.asks('/notif help');
    expect(answer.words).toContain('failures');
  });
});
