import { describe, expect, onTestFinished, test } from 'vitest';
import { type LocalServiceOptions, startLocalService } from './server.ts';
import { idsOnPage, startQuietService } from './testing.ts';

async function start(options?: LocalServiceOptions) {
  const service = await startQuietService(options);
  onTestFinished(() => service.close());
  return service;
}

describe('a local service', () => {
  test('has a history when it starts, the same for the same seed', async () => {
    const [one, other] = [await start({ history: { hours: 1 } }), await start({ history: { hours: 1 } })];
    const ids = idsOnPage((await one.get('/v1/notifications?limit=50')).body);
    expect(ids).toHaveLength(50);
    expect(idsOnPage((await other.get('/v1/notifications?limit=50')).body)).toEqual(ids);
  });

  test('produces events if it is alive, and none otherwise', async () => {
    const [alive, quiet] = [await start({ alive: true }), await start()];
    for (const service of [alive, quiet]) service.advance(60_000);
    expect(alive.world.events.size).toBeGreaterThan(10);
    expect(quiet.world.events.size).toBe(0);
  });

  test('dates its answers by its own clock', async () => {
    const service = await start();
    service.advance(90_000);
    const answer = await fetch(`${service.url}/v1/integrations`);
    expect(answer.headers.get('date')).toBe(new Date(service.world.now()).toUTCString());
  });

  test('refuses connections while it is away, and continues when it is back', async () => {
    const service = await start({ alive: true });
    await service.goAway();
    await expect(service.get('/v1/integrations')).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    service.advance(60_000);
    await service.comeBack();
    expect(idsOnPage((await service.get('/v1/notifications')).body).length).toBeGreaterThan(5);
  });

  test('uses the given port and key, and rejects a port that is in use', async () => {
    const first = await start({ apiKey: 'another' });
    expect((await first.get('/v1/integrations')).status).toBe(200);
    const port = Number(new URL(first.url).port);
    await expect(startLocalService({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
