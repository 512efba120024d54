import { describe, expect, test } from 'vitest';
import { quietEachTest } from './quiet.testing.ts';

const service = quietEachTest();

const list = () => service.get('/v1/notifications');

describe('a fault', () => {
  test('lasts for the requested number of its operation’s requests', async () => {
    service.faults.set('listEvents', { kind: 'status', status: 402 }, { times: 2 });
    expect((await service.get('/v1/integrations')).status).toBe(200);
    expect([(await list()).status, (await list()).status, (await list()).status]).toEqual([402, 402, 200]);
  });

  test('answers with the HTML page of a gateway', async () => {
    const status = 503;
    service.faults.set('listEvents', { kind: 'html', status });
    const headers = { authorization: 'ApiKey sandbox-key' };
    const response = await fetch(`${service.url}/v1/notifications`, { headers });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(await response.text()).toContain(`<title>${status} `);
  });
});
