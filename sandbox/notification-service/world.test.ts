import { describe, expect, it } from 'vitest';
import * as examples from './examples.ts';
import { plantedSecrets } from './planted-secrets.ts';
import { noon } from './testing.ts';
import { World } from './world.ts';

const newWorld = () => new World({ seed: 1, now: () => noon });

describe('a world', () => {
  it('is the same for the same seed and clock', () => {
    const [one, other] = [newWorld(), newWorld()];
    expect(one.plantEvent(examples.failed())).toEqual(other.plantEvent(examples.failed()));
    expect(one.integrations).toEqual(other.integrations);
  });

  it('fills in what a plan leaves out', () => {
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

  it('plants events of deleted workflows and without a subscriber', () => {
    const event = newWorld().plantEvent(examples.failed('email', { workflow: null, subscriber: null }));
    expect(event.subscriber).toBeNull();
    expect(event).not.toHaveProperty('template');
    expect(event).not.toHaveProperty('_templateId');
  });

  it('says which event or job it does not have', () => {
    const world = newWorld();
    const { _id } = world.plantEvent(examples.failed());
    expect(() => world.updateEvent('elsewhere', {})).toThrow('The local service has no event elsewhere');
    expect(() => world.addLateDetail(_id, 1, { detail: 'late' })).toThrow(
      `Event ${_id} has no job 1: it has 1, counted from 0`,
    );
  });

  it('hides every planted secret in a leaky event', () => {
    const event = JSON.stringify(newWorld().plantEvent(examples.leaky()));
    expect(Object.values(plantedSecrets).filter((secret) => !event.includes(secret))).toEqual([]);
  });

  it('makes an enormous event of about 100 kB', () => {
    expect(JSON.stringify(newWorld().plantEvent(examples.enormous())).length).toBeGreaterThan(100_000);
  });
});
