import { expect, test } from 'vitest';
import { quietEachTest } from './quiet.testing.ts';

const service = quietEachTest();

test('the fault html answers with the HTML page of a gateway', async () => {
  const status = 503;
  service.faults.set('listEvents', { kind: 'html', status });
  const headers = { authorization: 'ApiKey sandbox-key' };
  const response = await fetch(`${service.url}/v1/notifications`, { headers });
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toContain('text/html');
  expect(await response.text()).toContain(`<title>${status} `);
});
