import { describe, expect, onTestFinished, test } from 'vitest';
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
      await start({ history: 0.1 }),
      await start({ history: 0.1 }),
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
