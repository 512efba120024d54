import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delivered, failed, undeliverable } from '../../sandbox/notification-service/examples.ts';
import { openWorldAsleep, type World } from '../support/world.ts';

/** Plants failures that the poller has stored over the last hours. */
function plantHistory({ service: { world } }: World): void {
  const minutesAgo = (minutes: number) => world.now() - minutes * 60_000;
  // Old enough that each event has its final state at its only poll.
  const createdAt = minutesAgo(2);
  world.plantEvent(failed('email', { subscriber: 'user-1', transactionId: 'txn_mail', createdAt }));
  world.plantEvent(failed('email', { subscriber: 'user-2', createdAt }));
  world.plantEvent(failed('sms', { subscriber: 'user-3', workflow: 'payment-failed', createdAt }));
  world.plantEvent(undeliverable({ subscriber: 'user-4', createdAt }));
  world.plantEvent(delivered({ subscriber: 'user-5', createdAt }));
  world.plantEvent(failed('push', { subscriber: 'user-6', createdAt: minutesAgo(55) }));
}

describe('/notif failures', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorldAsleep({ variables: { NOTIF_POLL_SECONDS: '3600' } });
    plantHistory(world);
    await world.start();
    await world.log.until('events checked');
    world.passes(10 * 60_000);
  });
  afterAll(() => world.close());

  test('shows the last hour by cause, and what was checked', async () => {
    const answer = await world.ann.asks('/notif failures');
    expect(answer.words).toContain('🔴 production in the last hour: 3 failed of 5 events (60%)');
    expect(answer.words).toMatch(/Email · SendGrid: .* · 2 failures · 2 people · order-shipped · .* · #\d+/);
    expect(answer.words).toMatch(/SMS · Twilio: .* · 1 failure · 1 person · payment-failed · .* · #\d+/);
    expect(answer.words).toContain('Not alerted: 1 undeliverable');
    expect(answer.words).toMatch(/Up to date \d/);
    expect(answer.words).not.toContain('user-6');
  });

  test.each([
    ['workflow:payment-failed', 'payment-failed', 'order-shipped'],
    ['subscriber:user-1', 'Email · SendGrid', 'SMS · Twilio'],
    ['tx:txn_mail', '1 failed', 'payment-failed'],
    ['since:80m until:60m', 'Push', 'Email'],
    ['env:production channel:sms,email', 'payment-failed', 'user-6'],
  ])('is narrowed by %s', async (filters, shown, left) => {
    const answer = await world.ann.asks(`/notif failures ${filters}`);
    expect(answer.words).toContain(shown);
    expect(answer.words).not.toContain(left);
  });

  test('lists what is only counted, with why and an example, if its verdict is asked for', async () => {
    const answer = await world.ann.asks('/notif failures verdict:undeliverable');
    expect(answer.words).toContain('⚪ production in the last hour: 1 undeliverable');
    await world.ann.clicks('Example', answer);
    await world.ann.gets('for user-4');
  });

  test('is narrowed by an email address, without showing it', async () => {
    const address = world.service.world.subscribers.get('user-1')?.email ?? '';
    const answer = await world.ann.asks(`/notif failures email:${address}`);
    expect(answer.words).toContain('Only subscriber user-1');
    expect(answer.words).toContain('🔴 production in the last hour: 1 failed\n');
    expect(answer.words).not.toContain(address);
  });

  test.each([
    ['verdict:bounce', 'There is no verdict bounce. Did you mean bounced?'],
    ['email:nobody@people.example', 'No event for n•••@people.example seen in production.'],
    ['chanel:email', "chanel: isn't a filter. Did you mean channel:?"],
    ['since:90d', 'since: reaches back at most 3 days.'],
  ])('rejects %s with an explanation', async (filters, words) => {
    const answer = await world.ann.asks(`/notif failures ${filters}`);
    expect(answer.words).toContain(words);
  });

  test('gives no all-clear for a workflow that was never seen', async () => {
    const answer = await world.ann.asks('/notif failures workflow:ordr-shipped');
    expect(answer.words).toContain('No workflow ordr-shipped seen in production. Did you mean order-shipped?');
    expect(answer.words).not.toContain('No failures');
  });

  test('says so if nothing failed', async () => {
    const answer = await world.ann.asks('/notif failures since:40m until:20m');
    expect(answer.words).toContain('✅ No failures in production from');
  });

  test('says since when Notif has checked events if asked for earlier ones', async () => {
    const answer = await world.ann.asks('/notif failures since:30h until:29h');
    expect(answer.words).toMatch(/nothing was checked[\s\S]*Notif has checked events since \S/);
    expect(answer.words).not.toContain('No failures');
  });

  test('has buttons for an example of a row and for the previous hour', async () => {
    const { ann } = world;
    const answer = await ann.asks('/notif failures channel:sms');
    await ann.clicks('Example', answer);
    await ann.gets('🔴 Failed · payment-failed for user-3');
    await ann.clicks('Earlier', answer);
    await ann.gets('in production from');
  });

  test('shares its answer with everybody by a click', async () => {
    const { ann, ben } = world;
    await ann.clicks('Share', await ann.asks('/notif failures channel:sms'));
    const shared = await ben.sees(`Shared by ⟨user ${ann.id}⟩`);
    expect(shared.words).toContain('payment-failed');
  });
});
