import { describe, expect, onTestFinished, test } from 'vitest';
import * as examples from './examples.ts';
import { plantedSecrets } from './provider-failures.ts';
import { idsOnPage, startQuietService } from './quiet.testing.ts';
import type { LocalServiceOptions } from './server.ts';

async function start(options?: LocalServiceOptions) {
  const service = await startQuietService(options);
  onTestFinished(() => service.close());
  return service;
}

describe('a local service', () => {
  test('has a history when it starts, the same for the same seed, and produces events only if it is alive', async () => {
    const [one, other, alive] = [
      await start({ history: 1 }),
      await start({ history: 1 }),
      await start({ alive: true }),
    ];
    const ids = idsOnPage((await one.get('/v1/notifications?limit=50')).body);
    expect(ids).toHaveLength(50);
    expect(idsOnPage((await other.get('/v1/notifications?limit=50')).body)).toEqual(ids);
    const before = one.world.events.size;
    for (const service of [one, alive]) service.advance(60_000);
    expect(one.world.events.size).toBe(before);
    expect(alive.world.events.size).toBeGreaterThan(10);
  });

  test('refuses connections while it is away, and continues when it is back', async () => {
    const service = await start({ alive: true });
    await service.goAway();
    await expect(service.get('/v1/integrations')).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    service.advance(60_000);
    await service.comeBack();
    expect(idsOnPage((await service.get('/v1/notifications')).body).length).toBeGreaterThan(5);
  });
});

describe('the world of a local service', () => {
  test('plants events with a deleted workflow and without a subscriber, and every secret in a leaky one', async () => {
    const { world } = await start();
    const event = world.plantEvent(examples.failed('email', { workflow: null, subscriber: null }));
    expect(event.subscriber).toBeNull();
    expect(event).not.toHaveProperty('template');
    const leaky = JSON.stringify(world.plantEvent(examples.leaky()));
    expect(Object.values(plantedSecrets).filter((secret) => !leaky.includes(secret))).toEqual([]);
  });

  test('ends an outage unless another has replaced it', async () => {
    const { world } = await start();
    const endFirst = world.startOutage('fcm');
    const endSecond = world.startOutage('fcm', { share: 0.5 });
    endFirst();
    expect(world.outages.get('fcm')?.share).toBe(0.5);
    endSecond();
    expect(world.outages.size).toBe(0);
  });
});
