import type { IncomingHttpHeaders } from 'node:http';
import { json, text } from 'node:stream/consumers';
import { subDays } from 'date-fns';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LocalService, startLocalService } from '../../sandbox/service/server.ts';
import { longestTurnMs } from '../lib/cpu.testing.ts';
import { serve } from '../lib/serve.testing.ts';
import { Payload } from '../lib/text/payload.ts';
import { aClient, anItem, answering, PERSON, POLLER, problemOf } from './client.testing.ts';
import { anEvent, NO_OPTIONS } from './event.testing.ts';
import type { TriggerItem } from './trigger.ts';

let service: LocalService;

beforeEach(async () => {
  service = await startLocalService();
});

afterEach(async () => {
  await service.close();
});

test("the list of events is asked for with every filter under the contract's name, with lists repeated", async () => {
  const query = {
    channels: ['email', 'sms'],
    workflowIds: ['65f000000000000000000001'],
    emails: ['Anna@Example.com'],
    subscriberIds: ['user-1', 'user 2'],
    severity: ['high'],
    transactionId: 't&1',
    topicKey: 'launch',
    contextKeys: ['tenant:acme', 'region:eu'],
    // The service refuses what is older than its plan keeps.
    after: subDays(new Date(), 1),
    limit: 50,
    page: 2,
  };
  await aClient(service.url).client.listEvents(query, PERSON);
  const { templates, ...sent } = service.requests[0]?.query ?? {};
  expect(templates).toEqual(expect.anything());
  expect(Object.keys(sent)).toEqual(Object.keys(query).filter((name) => name !== 'workflowIds'));
  expect(sent).toMatchObject({ channels: ['email', 'sms'], subscriberIds: ['user-1', 'user 2'] });
  expect(sent.emails).toEqual(['Anna@Example.com', 'anna@example.com']);
  // In the order that the service's list of messages needs.
  expect(sent.contextKeys).toEqual(['region:eu', 'tenant:acme']);
  await aClient(service.url).client.listMessages({ contextKeys: query.contextKeys }, PERSON);
  expect(service.requests[1]?.query.contextKeys).toEqual(['region:eu', 'tenant:acme']);
});

test.each([true, false])('the client reads the same with and without envelopes (%s)', async (envelopes) => {
  const wrapping = await startLocalService({ envelopes });
  const planted = wrapping.world.plantEvent();
  const { client } = aClient(wrapping.url);
  expect((await client.retrieveEvent(planted._id, PERSON))?.id).toBe(planted._id);
  expect((await client.listEvents({}, PERSON)).items).toHaveLength(1);
  expect((await client.listIntegrations(PERSON)).items.length).toBeGreaterThan(0);
  await wrapping.close();
});

async function recording(status: number, body: string) {
  const requests: { method?: string; url?: string; headers: IncomingHttpHeaders; body: unknown }[] = [];
  const server = await serve(async (request, response) => {
    const { method, url, headers } = request;
    requests.push({ ...(method && { method }), ...(url && { url }), headers, body: await json(request) });
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  return { ...server, requests };
}

const HEADERS = { accept: 'application/json', authorization: 'ApiKey sandbox-key', 'content-type': 'application/json' };

describe('the request of a trigger', () => {
  const sent = async (item: Partial<TriggerItem>) => {
    const server = await recording(201, '[{"acknowledged":true,"status":"processed"}]');
    await aClient(server.url).client.triggerEvents([anItem(item)], { idempotencyKey: 'intent-1' }, PERSON);
    server.close();
    return server.requests;
  };

  test("is a POST to the bulk trigger with the API key and the intent's own", async () => {
    const headers = { ...HEADERS, 'idempotency-key': 'intent-1' };
    expect(await sent({})).toMatchObject([{ method: 'POST', url: '/v1/events/trigger/bulk', headers }]);
  });

  test("has the whole payload, the profile, the options, and else only the recipient's ID", async () => {
    const plain = { name: 'order-shipped', to: [{ subscriberId: 'user-1' }], transactionId: 't-1' };
    const payload = new Payload({ email: 'anna@example.com' });
    expect((await sent({ payload }))[0]?.body).toEqual({
      events: [{ ...plain, payload: { email: 'anna@example.com' } }],
    });
    const profile = new Payload({ firstName: 'Ada', email: 'ada@example.com' });
    const overrides = new Payload({ sendgrid: { templateId: 'd-17' } });
    const chosen = { actor: 'user-0', tenant: 'acme', context: { region: 'eu' } };
    expect((await sent({ profile, options: { overrides, ...chosen } }))[0]?.body).toEqual({
      events: [
        {
          ...plain,
          ...chosen,
          payload: {},
          overrides: { sendgrid: { templateId: 'd-17' } },
          to: [{ firstName: 'Ada', email: 'ada@example.com', subscriberId: 'user-1' }],
        },
      ],
    });
  });
});

test('a payload and overrides are sent on as an answer has them, digit for digit', async () => {
  const exact =
    '{"b": [-0, 1.0, 1e400, 12345678901234567890], "2": "\\u00e9", "1": {"payload": {"x": 1e2}}, "b": "\\"payload\\": {"}';
  const job = `{"_id": "job-1", "payload": "none", "overrides": ${exact}}`;
  const event = `{"_id": "event-1", "transactionId": "txn-1", "payload": ${exact}, "jobs": [${job}]}`;
  let sent = '';
  const server = await serve(async (request, response) => {
    sent = await text(request);
    response.end(sent === '' ? `{"data": [${event}], "hasMore": false}` : '[{"status": "processed"}]');
  });
  const { client } = aClient(server.url);
  const [{ payload, jobs } = anEvent()] = (await client.listEvents({}, PERSON)).items;
  const options = { ...NO_OPTIONS, overrides: jobs[0]?.overrides ?? null };
  await client.triggerEvents([anItem({ payload, options })], { idempotencyKey: 'intent-1' }, PERSON);
  expect(sent).toContain(`"payload":${exact},`);
  expect(sent).toContain(`"overrides":${exact}}`);
  server.close();
});

test("a change of credentials is a PATCH with the provider, its integration, the key and the intent's own", async () => {
  const update = { providerId: 'fcm', integrationIdentifier: 'fcm-1', credentials: { deviceTokens: ['token'] } };
  const server = await recording(204, '');
  await aClient(server.url).client.updateCredentials('user/1 é', update, { idempotencyKey: 'intent-2' }, PERSON);
  server.close();
  const url = '/v1/subscribers/user%2F1%20%C3%A9/credentials';
  const headers = { ...HEADERS, 'idempotency-key': 'intent-2' };
  expect(server.requests).toMatchObject([{ method: 'PATCH', url, headers, body: update }]);
});

describe('triggering', () => {
  const item = anItem();

  test('keeps the other results when one is unreadable', async () => {
    const server = await answering(
      201,
      JSON.stringify([{ status: 7 }, { acknowledged: 'yes', status: 'invalid_recipients' }]),
    );
    const results = await aClient(server.url).client.triggerEvents([item, item], { idempotencyKey: 'k' }, PERSON);
    expect(results.map(({ status }) => status)).toEqual(['unreadable', 'invalid_recipients']);
    server.close();
  });

  test("doesn't guess which of two events a single result belongs to", async () => {
    const server = await answering(201, JSON.stringify([{ acknowledged: true, status: 'processed' }]));
    const call = aClient(server.url).client.triggerEvents([item, item], { idempotencyKey: 'k' }, PERSON);
    expect(await problemOf(call)).toMatchObject({ problem: { kind: 'unreadable' }, outcomeUnknown: true });
    server.close();
  });
});

test('the client logs once what is wrong with items that it leaves out', async () => {
  const page = { data: [{ transactionId: 7 }, { _id: 'e' }, { transactionId: 't-2', severity: 1 }], hasMore: false };
  const server = await answering(200, JSON.stringify(page));
  const { client, log } = aClient(server.url);
  expect((await client.listEvents({}, POLLER)).items).toHaveLength(1);
  await client.listEvents({}, POLLER);
  server.close();
  expect(log.filter(({ level }) => level === 'warn').map(({ fields }) => fields)).toEqual([
    { environment: 'production', operation: 'listEvents', field: 'transactionId: expected string' },
  ]);
});

test('other work gets its turns while a page of large events is read', async () => {
  const detail = { status: 'Failed', detail: 'Unexpected provider error', raw: '{"message":"550 User unknown"}' };
  const details = Array.from({ length: 10_000 }, (_, n) => ({
    ...detail,
    _id: `d${n}`,
    createdAt: '2026-03-04T12:00:00Z',
  }));
  const data = Array.from({ length: 8 }, (_, n) => ({
    _id: `e${n}`,
    transactionId: 't',
    jobs: [{ _id: 'j', status: 'failed', executionDetails: details }],
  }));
  const server = await answering(200, JSON.stringify({ data, hasMore: false }));
  const { client } = aClient(server.url);
  const read: number[] = [];
  const turnMs = await longestTurnMs(async () => {
    const { items } = await client.listEvents({}, POLLER);
    read.push(...items.map(({ jobs }) => jobs[0]?.details.length ?? 0));
  });
  expect(read).toEqual(data.map(() => 10_000));
  expect(turnMs).toBeLessThan(150);
});
