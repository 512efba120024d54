import { describe, expect, test } from 'vitest';
import * as examples from './examples.ts';
import { plantedSecrets } from './provider-failures.ts';
import { noon } from './testing.ts';
import { noAccidents, World } from './world.ts';

const newWorld = () => new World({ seed: 1, now: () => noon });

describe('a world of the local service', () => {
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
});
