import { describe, expect, test } from 'vitest';
import { delivered, failed, leaky, mergedByDigest, topicFanOut } from '../../sandbox/service/examples.ts';
import { plantedSecrets } from '../../sandbox/service/provider-failures.ts';
import { ONCALL } from '../support/person.ts';
import { openWorld, sharedWorld } from '../support/world.ts';
import cases from './event.cases.json' with { type: 'json' };

const world = sharedWorld(() => openWorld());

describe('an event', () => {
  test('is shown with its outcome, reason and next step only to the person who asked', async () => {
    const { ann, ben, service } = world;
    const event = service.world.plantEvent(failed('email', { subscriber: 'user-0042' }));
    const answer = await ann.asks(`/notif event ${event._id}`);
    expect(answer.words).toMatch(
      /^🔴 order-shipped for user-0042: email failed · production\nEmail · SendGrid: Unauthorized \(401\)/,
    );
    expect(answer.words).toContain(`transaction ${event.transactionId}`);
    const sms = service.world.plantEvent(failed('sms', { subscriber: 'user-14' }));
    const { words } = await ann.asks(`/notif event ${sms._id}`);
    expect(words).toContain("💡 The 'To' number isn't a valid phone number · send again once fixed");
    expect(words).toContain("→ Recipient: Correct the subscriber's phone number");
    expect(ben.messages()).toEqual([]);
  });

  test('is found by its ID or its transaction, with whatever was pasted around it', async () => {
    const { ann, service } = world;
    const { _id } = service.world.plantEvent(delivered({ subscriber: 'user-4711', transactionId: 'txn_4711' }));
    for (const words of [
      _id,
      `2026-11-22T06:44:30Z ERROR mailer: send failed for eventId=${_id}`,
      'event txn_4711',
      'tx:txn_4711',
    ]) {
      expect((await ann.asks(`/notif ${words}`)).words).toContain('✅ order-shipped for user-4711: ');
    }
  });

  test.each(cases.wrong)(
    'that %s does not name is answered with what is wrong and what to do',
    async (line, what, next) => {
      const answer = await world.ann.asks(line);
      expect(answer.words).toContain(what);
      expect(answer.words).toContain(next);
    },
  );

  test('is shared with the channel once by two clicks at the same time, without private parts', async () => {
    const { ann, ben, service } = world;
    const event = service.world.plantEvent(leaky({ subscriber: 'user-12' }));
    const card = await ann.asks(`/notif event ${event._id}`);
    const shared = () => ben.messages().filter(({ words }) => words.includes('order-shipped for user-12'));
    await Promise.all([ann.clicks('Share', card), ann.clicks('Share', card)]);
    await expect.poll(shared).toHaveLength(1);
    await ann.asks('/notif help');
    expect(shared()).toMatchObject([{ onlyFor: null, words: expect.stringContaining('Shared by ann') }]);
    for (const secret of Object.values(plantedSecrets)) expect(shared()[0]?.words).not.toContain(secret);
  });

  test('shows its current state in place after a click on Refresh', async () => {
    const { ann, service } = world;
    const event = service.world.plantEvent(failed('email', { subscriber: 'user-13' }));
    const card = await ann.asks(`/notif event ${event._id}`);
    service.world.updateJob(event._id, 0, { status: 'completed', executionDetails: [] });
    await ann.clicks('Refresh', card);
    const refreshed = await ann.gets('✅ order-shipped for user-13: ');
    expect(refreshed.spot).toEqual(card.spot);
  });

  test('that a digest merged leads to the event of that digest', async () => {
    const { ann, service } = world;
    const ofReader = { workflow: 'weekly-digest', subscriber: 'reader-7' };
    const digest = service.world.plantEvent(delivered(ofReader));
    const merged = service.world.plantEvent(mergedByDigest(digest._id, ofReader));
    const card = await ann.asks(`/notif event ${merged._id}`);
    expect(card.words).toContain(`Merged by a digest into ${digest._id}`);
    await ann.clicks('Look up', card);
    await ann.gets('✅ weekly-digest for reader-7');
  });

  test('of a transaction with several is counted by cause, which leads to each, to a file, and to its own messages and failures', async () => {
    const { ann, service } = world;
    const few = { workflow: 'marketing-news', topics: ['news-readers'], transactionId: 'txn-few' };
    for (const plan of topicFanOut(3, few)) service.world.plantEvent(plan);
    service.world.plantEvent(failed('email', { ...few, subscriber: 'reader-4' }));
    const answer = await ann.asks('/notif event txn-few');
    expect(answer.words).toContain('txn-few made 4 events of Marketing news by topic news-readers');
    expect(answer.words).toContain('🔴 1 failed · ✅ 3 delivered');
    expect(answer.words).toContain('1 × Email · SendGrid: Unauthorized (401)');
    await ann.clicks('Download CSV', answer);
    const { text } = await ann.opensFile('failed-production-txn-few.csv');
    expect(text).toMatch(/^"reader-4","failed","Email · SendGrid: Unauthorized \(401\)","marketing-news"/m);
    expect(text.trim().split('\r\n')).toHaveLength(2);
    await ann.clicks('Look up', answer, '🔴 failed · txn-few · reader-4');
    await ann.clicks('Messages', await ann.gets('🔴 marketing-news for reader-4: '));
    const messages = await ann.gets('Outcome | Subscriber');
    expect(messages.words).not.toMatch(/reader-[1-3]/);
    await ann.clicks('View failures', answer);
    await ann.gets('Only transaction txn-few');
  });
});

describe('a subscriber', () => {
  test('says by ID, address or phone number which channels reach them, and masks how', async () => {
    const { ann, service } = world;
    const subscriber = 'user-15';
    const { email, phone } = service.world.subscribers.get(subscriber) ?? {};
    service.world.plantEvent(delivered({ subscriber }));
    service.world.plantEvent(failed('email', { subscriber }));
    const named = [subscriber, email, phone, phone?.replace('+49', '0')].map((typed) => `subscriber ${typed}`);
    for (const typed of [...named, email, `event ${email}`]) {
      const { words } = await ann.asks(`/notif ${typed}`, ONCALL);
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

  test("has its phone number's events listed, however it is written, and says how far it looked", async () => {
    const { ann, service } = world;
    const { phone = null } = service.world.subscribers.get('user-16') ?? {};
    service.world.plantEvent(delivered({ subscriber: 'user-16' }));
    const national = phone?.replace('+49', '0') ?? '';
    for (const typed of [`${phone?.slice(0, 3)} ${phone?.slice(3, 6)} ${phone?.slice(6)}`, national]) {
      const answer = await ann.asks(`/notif ${typed}`, ONCALL);
      expect(answer.words).toMatch(/^user-16 · [\s\S]*SMS .*•••16[\s\S]*1 newest event/);
      expect(answer.words).toMatch(/Looked through \d+ events?, back to/);
      await ann.clicks('View events', answer);
      await ann.gets('Subscriber user-16 · 1 event', ONCALL);
    }
    const none = await ann.asks('/notif +44 20 7946 0958', ONCALL);
    expect(none.words).toMatch(/No events of •••58 in production · Looked through \d+ events?/);
  });

  test('is looked up by what a link holds, in the environment that it names', async () => {
    const { ann, service } = world;
    const event = service.world.plantEvent(failed('sms', { subscriber: 'user-17' }));
    await ann.says(`@Notif https://admin.example.com/#/notifications/${event._id}?tab=steps`, { channel: ONCALL });
    await ann.sees('🔴 order-shipped for user-17', ONCALL);
    const answer = await ann.asks('/notif https://dashboard.example.com/subscribers/user-17', ONCALL);
    expect(answer.words).toMatch(/^user-17 · [\s\S]*1 newest event/);
  });

  test('has what it was sent shown to operators, and nobody else, and notes it in the audit trail', async () => {
    const { ann, ben, service } = world;
    const event = service.world.plantEvent(delivered({ subscriber: 'user-18' }));
    const card = await ann.asks(`/notif ${event._id}`, ONCALL);
    const shown = await ann.opens('Message text', card, 'Sent by the sandbox: Order shipped');
    expect(shown.words).toContain('Contacts, secrets and codes are masked');
    expect(shown.words).not.toContain('not delivered');
    await ann.closes();
    const lost = service.world.plantEvent(failed('email', { subscriber: 'user-18' }));
    const red = await ann.asks(`/notif ${lost._id}`, ONCALL);
    await ann.opens('Message text', red, '🔴 not delivered: Unauthorized (401)');
    await ann.closes();
    expect((await ann.asks('/notif audit')).words).toContain(`read the text of ${event._id}`);
    expect((await ben.asks(`/notif ${event._id}`, ONCALL)).words).not.toMatch(/Message text|Send again/);
    await ben.choosesShortcut('find_notification');
    await ben.seesModal('Find a notification');
    await ben.fillsIn({ 'What to look for': event._id });
    expect(await ben.submits()).toEqual([]);
    await ben.opens('Message text', await ben.seesModal('order-shipped for user-18'), 'Only operators can');
  });

  test("shows a provider's answer as it came to operators alone, masked elsewhere, and notes who read it", async () => {
    const { ann, ben, service } = world;
    const raw =
      '{"message":"Contact Zedekiah Quill left","to":"zed@customer.example","body":"Hi Zed","apiKey":"hunter2"}';
    const event = service.world.plantEvent(failed('email', { subscriber: 'user-19' }, { raw }));
    const card = await ann.asks(`/notif ${event._id}`, ONCALL);
    expect(card.words).toContain('Contact ••• left');
    expect((await ann.opens('View raw', card, 'without secrets and contacts')).words).not.toMatch(/Zed|Quill|zed@/);
    await ann.closes();
    const shown = await ann.opens("Provider's words", card, 'Contact Zedekiah Quill left');
    expect(shown.words).toMatch(/zed@customer\.example.*Hi Zed/);
    expect(shown.words).not.toContain('hunter2');
    await ann.closes();
    expect((await ann.asks('/notif audit')).words).toContain(`read the provider's words of ${event._id}`);
    expect((await ben.asks(`/notif ${event._id}`, ONCALL)).words).not.toMatch(/Provider's words|Zed|Quill/);
  });
});
