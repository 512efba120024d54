import { describe, expect, test } from 'vitest';
import { quietEachTest } from './quiet.testing.ts';

const service = quietEachTest();

const list = () => service.get('/v1/notifications');
const raw = (path = '/v1/notifications', init: RequestInit = {}) =>
  fetch(service.url + path, { headers: { authorization: 'ApiKey sandbox-key' }, ...init });

describe('a fault', () => {
  test('lasts for the requested number of its operation’s requests', async () => {
    service.faults.set('listEvents', { kind: 'status', status: 402 }, { times: 2 });
    expect((await service.get('/v1/integrations')).status).toBe(200);
    expect([(await list()).status, (await list()).status, (await list()).status]).toEqual([402, 402, 200]);
  });

  test('is removed without the others', async () => {
    const takeBack = service.faults.set('all', { kind: 'status', status: 401 });
    service.faults.set('listEvents', { kind: 'status', status: 402 });
    takeBack();
    expect([(await list()).status, (await service.get('/v1/integrations')).status]).toEqual([402, 200]);
  });

  test('answers with the HTML page of a gateway', async () => {
    const status = 503;
    service.faults.set('listEvents', { kind: 'html', status });
    const response = await raw();
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(await response.text()).toContain(`<title>${status} `);
  });

  test.each([
    ['reset', 0],
    ['lost answer', 1],
  ] as const)('drops the connection: after a %s, %i events were triggered', async (kind, events) => {
    service.faults.set('triggerEvents', { kind }, { times: 1 });
    const body = JSON.stringify({ events: [{ name: 'order-shipped', to: ['user-1'] }] });
    const headers = { authorization: 'ApiKey sandbox-key', 'content-type': 'application/json' };
    const init = { method: 'POST', body, headers };
    await expect(raw('/v1/events/trigger/bulk', init)).rejects.toThrow(TypeError);
    service.advance(1000);
    expect(service.world.events.size).toBe(events);
  });
});
