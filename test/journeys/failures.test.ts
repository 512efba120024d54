import { beforeAll, describe, expect, test } from 'vitest';
import { delayedForHours, delivered, failed, undeliverable } from '../../sandbox/service/examples.ts';
import { GENERAL, ONCALL } from '../support/person.ts';
import { inWorldAsleep, MINUTE, openWorldAsleep, sharedWorld, type World } from '../support/world.ts';

/** Plants failures that the poller has stored over the last hours. */
function plantHistory({ service: { world } }: World): void {
  const minutesAgo = (minutes: number) => world.now() - minutes * MINUTE;
  // Old enough that each event has its final state at its only poll.
  const createdAt = minutesAgo(2);
  world.plantEvent(failed('email', { subscriber: 'user-1', createdAt }));
  world.plantEvent(failed('email', { subscriber: 'user-2', createdAt }));
  world.plantEvent(failed('sms', { subscriber: 'user-3', workflow: 'payment-failed', createdAt }));
  world.plantEvent(undeliverable({ subscriber: 'user-4', createdAt }));
  world.plantEvent(delivered({ subscriber: 'user-5', createdAt }));
  world.plantEvent(failed('push', { subscriber: 'user-6', createdAt: minutesAgo(55) }));
}

describe('/notif failures', () => {
  const world = sharedWorld(() => openWorldAsleep());
  beforeAll(async () => {
    plantHistory(world);
    await world.start();
    await world.log.until('Events checked');
    world.passes(10 * MINUTE);
  });

  test('shows the last hour by cause, and what was checked', async () => {
    const answer = await world.ann.asks('/notif failures');
    expect(answer.words).toContain('🔴 production in the last hour: 3 of 5 events failed (60%)');
    expect(answer.words).toMatch(/Email · SendGrid: .* · 2 failures · 2 people · order-shipped · .* · #\d+/);
    expect(answer.words).toMatch(/SMS · Twilio: .* · 1 failure · 1 person · payment-failed · .* · #\d+/);
    expect(answer.words).toContain('Not alerted: 1 undeliverable');
    expect(answer.words).toMatch(/Up to date \d/);
    expect(answer.words).not.toContain('user-6');
  });

  test('lists what is only counted, with an example, if its verdict is asked for', async () => {
    const answer = await world.ann.asks('/notif failures verdict:undeliverable');
    expect(answer.words).toContain('⚪ production in the last hour: 1 undeliverable');
    await world.ann.clicks('Example', answer);
    await world.ann.gets('for user-4');
  });

  test('is narrowed by an email address, without showing it', async () => {
    const address = world.service.world.subscribers.get('user-1')?.email ?? '';
    const answer = await world.ann.asks(`/notif failures email:${address}`);
    expect(answer.words).toContain('Only subscriber user-1');
    expect(answer.words).toContain('🔴 production in the last hour: 1 event failed\n');
    expect(answer.words).not.toContain(address);
  });

  test.each([
    ['workflow:ordr-shipped', 'No workflow ordr-shipped seen in production. Did you mean order-shipped?'],
    ['email:nobody@people.example', 'No event for n•••@people.example seen in production. Check the spelling and'],
    ['subscriber:u•••@people.example', 'u•••@people.example is masked. Give the whole address with email:.'],
  ])('explains why it has no answer to %s, and gives no all-clear', async (filters, words) => {
    const answer = await world.ann.asks(`/notif failures ${filters}`);
    expect(answer.words).toContain(words);
    expect(answer.words).not.toContain('No failures');
  });

  test('says so if nothing failed, and since when events were checked if asked for earlier ones', async () => {
    const { ann } = world;
    const answer = await ann.asks('/notif failures since:40m until:20m');
    expect(answer.words).toContain('✅ No failures in production from');
    const earlier = await ann.asks('/notif failures since:30h until:29h');
    expect(earlier.words).toMatch(/nothing was checked from .* to .* \(checked since \S/);
    expect(earlier.words).not.toContain('No failures');
  });

  test('has buttons for an example of a row and for the previous hour, and is shared by a click', async () => {
    const { ann, ben } = world;
    const answer = await ann.asks('/notif failures channel:sms');
    await ann.clicks('Example', answer);
    await ann.gets('🔴 payment-failed for user-3');
    await ann.clicks('Share', answer);
    expect((await ben.sees('Shared by ann')).words).toContain('payment-failed');
    await ann.clicks('Earlier', answer);
    await ann.gets('in production from');
  });

  test('has a chart, drawn by Slack for the person who asks, and for everyone once it is shared', async () => {
    const { ann, ben } = world;
    const answer = await ann.asks('/notif chart', ONCALL);
    expect(answer.words).toMatch(/3 failures, \S+% of \d+ attempts\n2 \S.* · 1 \S/);
    await ann.clicks('Share', answer);
    expect((await ben.sees('Shared by', ONCALL)).words).toContain('Failures in production');
    expect((await ann.asks('/notif chart channel:in-app', GENERAL)).words).toContain('No matching failures');
  });

  test('has a chart of what a list is narrowed to', async () => {
    const { ann } = world;
    await ann.clicks('Chart', await ann.asks('/notif failures provider:twilio', GENERAL), 'Share');
    expect((await ann.sees('Only provider twilio', GENERAL)).words).toContain('1 failure · ');
    await ann.clicks('View affected', await ann.sees('Email via SendGrid', ONCALL));
    await ann.clicks('View events', await ann.gets('subscribers ·', ONCALL));
    await ann.clicks('Chart', await ann.gets('2 failures ·', ONCALL));
    await ann.gets('Only channel email, provider sendgrid', ONCALL);
  });
});

test(
  '/notif failures between two polls covers what was created since, and says so when it cannot',
  inWorldAsleep({}, async ({ ann, service, passes, impatiently, start, log }) => {
    const createdAt = service.world.now() - 20 * MINUTE;
    service.world.plantEvent(delivered({ subscriber: 'user-mail', createdAt }));
    service.world.plantEvent(delayedForHours({ subscriber: 'user-delayed', createdAt }));
    await start();
    await log.until('Events checked');
    const { words } = await ann.asks('/notif failures');
    expect(words).toMatch(/✅ No failures in production in the last hour \(2 events\)\./);
    expect(words).toMatch(/Up to date \d/);

    passes(MINUTE);
    service.world.plantEvent({ subscriber: 'user-new' });
    expect((await ann.asks('/notif failures')).words).toContain('3 events');

    service.faults.set('all', { kind: 'hang' });
    passes(30 * MINUTE);
    const hanging = await impatiently(ann.asks('/notif failures channel:push'));
    expect(hanging.words).toMatch(/⚪ No matching failures found in production in the last hour[\s\S]*As of/);
    expect(hanging.words).toContain('Not checked yet:');
    expect(hanging.words).not.toContain('✅');
  }),
);

test(
  '/notif failures says why nothing is checked while polls pause for a rate limit',
  inWorldAsleep({}, async ({ ann, service, passes, impatiently, start, log }) => {
    await start();
    await log.until('Events checked');
    // Slack is asked once who she is, which nobody may be impatient about.
    await ann.asks('/notif help');
    service.faults.set('all', { kind: 'status', status: 429, retryAfterSeconds: 240 });
    await impatiently(ann.asks('/notif failures'));
    // Whichever loop or person asks first meets the limit, and the pause is everybody's.
    await log.until("couldn't be read");
    passes(MINUTE);
    const { words } = await impatiently(ann.asks('/notif failures'));
    expect(words).toContain('its rate limit was used up (429)');
    expect(words).not.toContain('✅');
  }),
);
