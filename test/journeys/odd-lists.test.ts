import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventPlan } from '../../sandbox/notification-service/event-plan.ts';
import { delivered, failed, unreadable } from '../../sandbox/notification-service/examples.ts';
import { openWorldAsleep, type World } from '../support/world.ts';

const MINUTE_MS = 60_000;

/** A delivered event with a detail that lacks its ID, which the contract requires: it may be a failure. */
const partlyUnreadable = (given: EventPlan): EventPlan => ({
  ...delivered(given),
  disguise: (event) => ({
    ...event,
    jobs: event.jobs.map((job) => ({ ...job, executionDetails: job.executionDetails.map(({ _id, ...rest }) => rest) })),
  }),
});

describe('looking up events of a service whose clock is ahead', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorldAsleep();
    world.service.advance(90_000);
    await world.start();
  });
  afterAll(() => world.close());

  test('finds a subscriber whose first event is a minute old, by any way to look one up', async () => {
    const { ann, service } = world;
    const createdAt = service.world.now() - MINUTE_MS;
    service.world.plantEvent(failed('email', { subscriber: 'ahead-0042', transactionId: 'txn_ahead1', createdAt }));
    expect((await ann.asks('/notif ahead-0042')).words).toContain('· 1 event');
    expect((await ann.asks('/notif subscriber:ahead-0042')).words).toContain('· 1 event');
    expect((await ann.asks('/notif failures subscriber:ahead-0042')).words).toContain('1 failure');
    expect((await ann.asks('/notif txn_ahead1')).words).toContain('for ahead-0042');
  });
});

describe('asking for the last minutes of a service whose clock is nine minutes behind', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorldAsleep();
    world.service.advance(-9 * MINUTE_MS);
    const createdAt = world.service.world.now() - 8 * MINUTE_MS;
    world.service.world.plantEvent(failed('email', { subscriber: 'behind-1', createdAt }));
    await world.start();
    await world.log.until('events checked');
  });
  afterAll(() => world.close());

  test('finds what failed in them, and nothing that failed before', async () => {
    const { ann, service } = world;
    const createdAt = service.world.now() - 10_000;
    service.world.plantEvent(failed('email', { subscriber: 'behind-2', createdAt }));
    expect((await ann.asks('/notif failures since:5m')).words).toContain('1 failure');
    expect((await ann.asks('/notif failures since:15m')).words).toContain('2 failures');
  });
});

describe('looking up events whose outcome the service does not show', () => {
  let world: World;
  const outcomes = { subscriber: 'hidden-1', transactionId: 'txn_hidden1' };
  beforeAll(async () => {
    world = await openWorldAsleep();
    const before = { ...outcomes, createdAt: world.service.world.now() - 30 * MINUTE_MS };
    for (let n = 0; n < 2; n++) world.service.world.plantEvent(partlyUnreadable(before));
    await world.start();
    await world.log.until('events checked');
  });
  afterAll(() => world.close());

  test('gives no all-clear for them, and calls none of them delivered', async () => {
    const { ann } = world;
    const failures = await ann.asks('/notif failures');
    expect(failures.words).toContain('No failures found in production');
    expect(failures.words).toContain('2 events unreadable');
    const transaction = await ann.asks('/notif txn_hidden1');
    expect(transaction.words).toContain('❔ 2 with no outcome shown');
    expect(transaction.words).not.toContain('All 2 events');
    expect((await ann.asks('/notif hidden-1')).words).toContain('❔ outcome not shown');
  });

  test('retrieves those that the list shows without their steps', async () => {
    const { ann, service } = world;
    const lean = { subscriber: 'lean-1', transactionId: 'txn_lean1', createdAt: service.world.now() - 300 * MINUTE_MS };
    for (let n = 0; n < 2; n++) service.world.plantEvent(failed('sms', lean));
    service.behave({ eventListLacks: ['jobs'] });
    expect((await ann.asks('/notif txn_lean1')).words).toContain('🔴 2 failed');
    expect((await ann.asks('/notif lean-1')).words).toContain('🔴 failed');
    service.behave({ eventListLacks: [] });
  });

  test('does not say that it showed all of a transaction with an event that it could not read', async () => {
    const { ann, service } = world;
    const transactionId = 'txn_lost1';
    for (let n = 0; n < 3; n++) service.world.plantEvent(delivered({ transactionId }));
    service.world.plantEvent({ ...unreadable(), transactionId });
    service.world.plantEvent(failed('email', { transactionId }));
    const card = await ann.asks('/notif txn_lost1');
    expect(card.words).toContain("4 events checked · 1 couldn't be read");
  });
});
