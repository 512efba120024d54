import { describe, expect, test } from 'vitest';
import * as examples from './examples.ts';
import { plantedSecrets } from './provider-failures.ts';
import { noon } from './testing.ts';
import { noAccidents, World } from './world.ts';

const newWorld = () => new World({ seed: 1, now: () => noon });

describe('a world of the local service', () => {
  test('is the same for the same seed and clock', () => {
    const [one, other] = [newWorld(), newWorld()];
    expect(one.plantEvent(examples.failed())).toEqual(other.plantEvent(examples.failed()));
    expect(one.integrations).toEqual(other.integrations);
  });

  test('fills in what a plan omits', () => {
    expect(newWorld().plantEvent(examples.delivered())).toMatchObject({
      createdAt: '2026-03-10T12:00:00.000Z',
      channels: ['in_app', 'email'],
      subscriber: { subscriberId: 'user-1' },
      template: { name: 'Order shipped' },
      to: { subscriberId: 'user-1' },
      severity: 'none',
      jobs: [
        { status: 'completed', providerId: 'svc' },
        { status: 'completed', providerId: 'sendgrid' },
      ],
    });
  });

  test('plants events with a deleted workflow and without a subscriber', () => {
    const event = newWorld().plantEvent(examples.failed('email', { workflow: null, subscriber: null }));
    expect(event.subscriber).toBeNull();
    expect(event).not.toHaveProperty('template');
    expect(event).not.toHaveProperty('_templateId');
  });

  test("names an event or job that doesn't exist", () => {
    const world = newWorld();
    const { _id } = world.plantEvent(examples.failed());
    expect(() => world.updateEvent('elsewhere', {})).toThrow('The local service has no event elsewhere');
    expect(() => world.addLateDetail(_id, 1, { detail: 'late' })).toThrow(
      `Event ${_id} has no job 1: it has 1, counted from 0`,
    );
  });

  test('plants every secret in a leaky event', () => {
    const event = JSON.stringify(newWorld().plantEvent(examples.leaky()));
    expect(Object.values(plantedSecrets).filter((secret) => !event.includes(secret))).toEqual([]);
  });

  test('stacks changes of accidents: the latest one that names an accident counts, whichever ends first', () => {
    const world = newWorld();
    world.accidents = { ...noAccidents, retry: 0.5 };
    const endStorm = world.changeAccidents({ bounce: 0.8 });
    const endCalm = world.changeAccidents(noAccidents);
    expect([world.likelihood('bounce'), world.likelihood('retry')]).toEqual([0, 0]);
    endStorm();
    expect(world.likelihood('retry')).toBe(0);
    endCalm();
    expect([world.likelihood('bounce'), world.likelihood('retry')]).toEqual([0, 0.5]);
  });

  test('ends an outage unless another has replaced it', () => {
    const world = newWorld();
    const endFirst = world.startOutage({ provider: 'fcm' });
    const endSecond = world.startOutage({ provider: 'fcm', share: 0.5 });
    endFirst();
    expect(world.outages.get('fcm')?.share).toBe(0.5);
    endSecond();
    expect(world.outages.size).toBe(0);
  });

  test('plants a crowd once, nearly all with an address', () => {
    const world = newWorld();
    const { subscriptions } = world.plantCrowd('launch', 500);
    expect(world.plantCrowd('launch', 500).subscriptions).toHaveLength(500);
    const addresses = subscriptions.map(({ subscriberId }) => world.subscriber(subscriberId).email);
    expect(addresses.filter((email) => email === null).length).toBeLessThan(30);
  });

  test('creates an enormous event of about 100 kB', () => {
    expect(JSON.stringify(newWorld().plantEvent(examples.enormous())).length).toBeGreaterThan(100_000);
  });
});
