import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  canceledFollower,
  failed,
  skippedByCondition,
  undeliverable,
  unreadable,
} from '../../sandbox/notification-service/examples.ts';
import { outageOf } from '../../sandbox/notification-service/provider-failures.ts';
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
    production = await world.ann.sees('production · 13 new', ONCALL);
    staging = await world.ann.sees('staging · 3 new', ONCALL);
  });
  afterAll(() => world.close());

  test('cover the hour before the start', () => {
    expect(staging.words).toContain('Push via FCM failed: customer');
    expect(staging.words).not.toContain('long-ago');
  });

  test('keep environments apart', () => {
    expect(production.words).not.toContain('customer');
    expect(world.ann.messages(ONCALL)).toHaveLength(2);
  });

  test('list critical and severe incidents first', () => {
    expect(production.words).toMatch(/^🔴 production · 13 new: SMS via Twilio fails: .*\(20503\) · \+12\n/);
    expect(production.words).toMatch(/\(20503\) · 1 of 1 · 1 person · critical · #\d+\n/);
  });

  test('have at most ten rows, and show the other incidents by a click', async () => {
    expect(production.words.match(/ · #\d+$/gm)).toHaveLength(10);
    expect(production.words).toContain('… and 3 more incidents');
    await world.ann.clicks('Show all', production);
    const all = await world.ann.gets('production · 13 incidents', ONCALL);
    expect(all.words.match(/^\S+ #\d+ \|/gm)).toHaveLength(13);
  });

  test('leave out what triggers no alerts, which /notif failures shows', async () => {
    expect(staging.words).not.toContain('undeliverable');
    const answer = await world.ann.asks('/notif failures since:1h env:staging', ONCALL);
    expect(answer.words).toContain('2 undeliverable · 2 skipped by design');
    expect(answer.words).toContain('2 events unreadable');
  });

  test('mark failures of tests', () => {
    expect(staging.words).toContain('Test: SMS via Twilio fails: tester');
  });
});

/** A cause of its own. */
const said = (word: string) => ({ raw: JSON.stringify({ message: word }) });

/** An outage that began before Notif started. */
function plantOutage(service: Service): void {
  const createdAt = service.now() - 2 * 60_000;
  for (const word of ['ape', 'bee', 'cat', 'dog', 'eel', 'fox', 'gnu', 'hen', 'ibex', 'jay', 'koi', 'lynx']) {
    service.plantEvent(failed('email', { createdAt }, said(word)));
  }
  service.plantEvent(failed('sms', { workflow: 'payment-failed', createdAt }, outageOf('twilio')));
}

function plantOddities(service: Service): void {
  service.plantEvent(failed('push', { createdAt: service.now() - 70 * 60_000 }, said('long-ago')));
  service.plantEvent(failed('push', { createdAt: service.now() - 50 * 60_000 }, said('customer')));
  const { jobs } = service.plantEvent(failed('sms', {}, said('tester')));
  for (const detail of jobs.flatMap(({ executionDetails }) => executionDetails)) detail.isTest = true;
  for (const example of [undeliverable, undeliverable, skippedByCondition, canceledFollower]) {
    service.plantEvent(example());
  }
  service.plantEvent(unreadable());
}
