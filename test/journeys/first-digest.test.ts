import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  canceledFollower,
  failed,
  skippedByCondition,
  undeliverable,
  unreadable,
} from '../../sandbox/notification-service/examples.ts';
import type { World as Service } from '../../sandbox/notification-service/world.ts';
import { ONCALL, type ShownMessage } from '../support/person.ts';
import { openWorldAsleep, type World } from '../support/world.ts';

describe('the first digests', () => {
  let world: World;
  let production: ShownMessage;
  let staging: ShownMessage;
  beforeAll(async () => {
    world = await openWorldAsleep({ environments: ['production', 'staging'] });
    plantOutage(world.serviceOf('production').world);
    plantOddities(world.serviceOf('staging').world);
    await world.start();
    production = await world.ann.sees('production · 13 incidents', ONCALL);
    staging = await world.ann.sees('staging · 3 incidents', ONCALL);
  });
  afterAll(() => world.close());

  test('cover the hour before the start and say so', () => {
    expect(staging.words).toContain('First digest: covers the hour before Notif started.');
    expect(staging.words).toContain('for customer');
    expect(staging.words).not.toContain('long-ago');
  });

  test('keep environments apart', () => {
    expect(production.words).not.toContain('for customer');
    expect(world.ann.messages(ONCALL)).toHaveLength(2);
  });

  test('list critical and severe incidents first', () => {
    expect(production.words).toContain('🔴 SMS · Twilio — payment-failed · critical');
    expect(production.words).not.toContain('severity');
    expect(production.words.indexOf('payment-failed')).toBeLessThan(production.words.indexOf('order-shipped'));
  });

  test('have at most ten rows, and show the other incidents by a click', async () => {
    expect(production.words.match(/Look up/g)).toHaveLength(10);
    expect(production.words).toContain('3 more incidents');
    await world.ann.clicks('Show more', production);
    const rest = await world.ann.gets('production · incidents 11–13 of 13 announced', ONCALL);
    expect(rest.words.match(/Look up/g)).toHaveLength(3);
  });

  test('leave out what triggers no alerts, which /notif failures shows', async () => {
    expect(staging.words).not.toContain('undeliverable');
    const answer = await world.ann.asks('/notif failures since:1h env:staging', ONCALL);
    expect(answer.words).toContain('2 undeliverable · 2 skipped by design');
  });

  test('list test failures separately', () => {
    expect(staging.words).toMatch(/for customer[\s\S]*Tests: marked as tests by the service[\s\S]*for tester/);
  });

  test("say how many events couldn't be read", () => {
    expect(staging.words).toMatch(/Checked .* · 6 events · 1 couldn't be read/);
  });
});

/** An outage that began before Notif started. */
function plantOutage(service: Service): void {
  const createdAt = service.now() - 10 * 60_000;
  for (const word of ['ape', 'bee', 'cat', 'dog', 'eel', 'fox', 'gnu', 'hen', 'ibex', 'jay', 'koi', 'lynx']) {
    service.plantEvent(failed('email', { createdAt }, { raw: JSON.stringify({ message: word }) }));
  }
  service.plantEvent(failed('sms', { workflow: 'payment-failed', createdAt }));
}

function plantOddities(service: Service): void {
  service.plantEvent(failed('push', { subscriber: 'long-ago', createdAt: service.now() - 70 * 60_000 }));
  service.plantEvent(failed('push', { subscriber: 'customer', createdAt: service.now() - 50 * 60_000 }));
  const { jobs } = service.plantEvent(failed('sms', { subscriber: 'tester' }));
  for (const detail of jobs.flatMap(({ executionDetails }) => executionDetails)) detail.isTest = true;
  for (const example of [undeliverable, undeliverable, skippedByCondition, canceledFollower]) {
    service.plantEvent(example());
  }
  service.plantEvent(unreadable());
}
