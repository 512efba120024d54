import { expect, test } from 'vitest';
import { delivered, failed } from '../../sandbox/service/examples.ts';
import { ONCALL } from '../support/person.ts';
import { openWorld, sharedWorld } from '../support/world.ts';

const world = sharedWorld(() => openWorld());

test('tells by ID, address or phone number which channels reach a subscriber, and masks how', async () => {
  const { ann, service } = world;
  const subscriber = 'user-15';
  const { email, phone } = service.world.subscribers.get(subscriber) ?? {};
  service.world.plantEvent(delivered({ subscriber }));
  service.world.plantEvent(failed('email', { subscriber }));
  for (const typed of [subscriber, email, phone]) {
    const { words } = await ann.asks(`/notif subscriber ${typed}`, ONCALL);
    expect(words).toMatch(/^user-15 · .* · production/);
    expect(words).toMatch(/email .•••@\S+ 🔴 · SMS •••15/);
    expect(words).toMatch(/push FCM \d devices?/);
    expect(words).toContain('Last 2 events: 🔴 1 failed · ✅ 1 delivered');
    expect(words).toContain('🔴 Email · SendGrid: ');
    expect(words).toContain('Devices and settings as of the newest message');
    expect([email, phone].filter((contact) => words.includes(contact ?? 'none'))).toEqual([]);
  }
  const card = await ann.asks(`/notif subscriber ${subscriber}`, ONCALL);
  await ann.opens('Send a test', card, 'Send a test');
});

test("lists a phone number's events, however it is written, and says how far it looked", async () => {
  const { ann, service } = world;
  const { phone = null } = service.world.subscribers.get('user-16') ?? {};
  service.world.plantEvent(delivered({ subscriber: 'user-16' }));
  const national = phone?.replace('+49', '0') ?? '';
  for (const typed of [`${phone?.slice(0, 3)} ${phone?.slice(3, 6)} ${phone?.slice(6)}`, national]) {
    const answer = await ann.asks(`/notif ${typed}`, ONCALL);
    expect(answer.words).toContain('Subscriber user-16 · 1 event');
    expect(answer.words).toMatch(/•••16 · Looked through \d+ events?, back to/);
    await ann.clicks('Subscriber', answer);
    await ann.gets('user-16 · ', ONCALL);
  }
  const none = await ann.asks('/notif +44 20 7946 0958', ONCALL);
  expect(none.words).toMatch(/No subscriber found in production: •••58 · Looked through \d+ events?/);
});

test('looks up what a link holds, in the environment that it names', async () => {
  const { ann, service } = world;
  const event = service.world.plantEvent(failed('sms', { subscriber: 'user-17' }));
  await ann.says(`@Notif https://admin.example.com/#/notifications/${event._id}?tab=steps`, { channel: ONCALL });
  await ann.sees('🔴 order-shipped for user-17', ONCALL);
  const answer = await ann.asks('/notif https://dashboard.example.com/subscribers/user-17', ONCALL);
  expect(answer.words).toContain('Subscriber user-17 · 1 event');
});

test('shows operators, and nobody else, what a person was sent, and notes it in the audit trail', async () => {
  const { ann, ben, service } = world;
  const event = service.world.plantEvent(delivered({ subscriber: 'user-18' }));
  const card = await ann.asks(`/notif ${event._id}`, ONCALL);
  const shown = await ann.opens('Message text', card, 'Sent by the sandbox: Order shipped');
  expect(shown.words).toContain('Contacts, secrets and codes are masked');
  await ann.closes();
  expect((await ann.asks('/notif audit')).words).toContain(`read the text of ${event._id}`);
  await ben.opens('Message text', await ben.asks(`/notif ${event._id}`, ONCALL), 'Only operators can');
});
