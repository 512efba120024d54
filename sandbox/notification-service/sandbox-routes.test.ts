import { once } from 'node:events';
import { request } from 'node:http';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type QuietService, startQuietService } from './testing.ts';

let service: QuietService;
beforeEach(async () => {
  service = await startQuietService();
  onTestFinished(() => service.close());
});

const knock = async (method: string, path: string, body?: object) => {
  const response = await fetch(`${service.url}/_sandbox/${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return { status: response.status, body: await response.json() };
};

describe('the sandbox routes of the local service', () => {
  test('show the state without a key', async () => {
    expect(await knock('GET', 'state')).toMatchObject({ status: 200, body: { events: 0, faults: [], outages: [] } });
  });

  test('switch faults on and off', async () => {
    const order = { operation: 'listEvents', fault: { kind: 'html', status: 503 }, times: 3 };
    expect(await knock('POST', 'faults', order)).toMatchObject({
      body: { faults: [{ operation: 'listEvents', left: 3 }] },
    });
    expect(await knock('DELETE', 'faults')).toMatchObject({ body: { faults: [] } });
  });

  test('start and end outages', async () => {
    expect(await knock('POST', 'outages', { provider: 'sendgrid' })).toMatchObject({ body: { outages: ['sendgrid'] } });
    expect(await knock('DELETE', 'outages')).toMatchObject({ body: { outages: [] } });
  });

  test('set switches of behavior, which add up, and reset all of them', async () => {
    expect(await knock('POST', 'behavior', { order: 'oldest first' })).toMatchObject({ status: 200 });
    expect(await knock('POST', 'behavior', { eventListLacks: ['jobs'] })).toMatchObject({
      body: { behavior: { order: 'oldest first', eventListLacks: ['jobs'], after: 'inclusive' } },
    });
    expect(await knock('POST', 'behavior', { order: 'sideways' })).toMatchObject({ status: 422 });
    expect(await knock('POST', 'behavior', { ordered: true })).toMatchObject({ status: 422 });
    expect(await knock('DELETE', 'behavior')).toMatchObject({ body: { behavior: { order: 'newest first' } } });
  });

  test('refuse what a page of another site can send', async () => {
    const order = { method: 'POST', body: '{"provider": "sendgrid"}', headers: { 'content-type': 'text/plain' } };
    expect(await fetch(`${service.url}/_sandbox/outages`, order)).toMatchObject({ status: 415 });
    const foreign = request(`${service.url}/_sandbox/state`, { headers: { host: 'evil.example' } }).end();
    const [answer] = await once(foreign, 'response');
    expect(answer).toMatchObject({ statusCode: 403 });
    answer.resume();
    expect(await knock('GET', 'state')).toMatchObject({ body: { outages: [] } });
  });

  test('reject unknown input', async () => {
    expect(await knock('POST', 'faults', { operation: 'all', fault: { kind: 'gremlins' } })).toMatchObject({
      status: 422,
    });
    expect(await knock('GET', 'secrets')).toMatchObject({ status: 404 });
  });
});
