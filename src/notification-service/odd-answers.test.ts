import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { retryAfterMs } from './allowance.ts';
import { aClient, anItem, answering, PERSON, problemOf, type Server, serve } from './client.testing.ts';

let server: Server | undefined;

afterEach(() => server?.close());

const NOW = Date.parse('2026-11-20T12:00:00Z');
const UPDATE = { providerId: 'fcm', credentials: {} };

/** Starts a server whose response says that it's compressed, whatever its body is. */
async function compressed(status: number, body?: string | Buffer): Promise<Server> {
  return await serve((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(body);
  });
}

test.each([
  [502, { kind: 'gateway', status: 502 }],
  [401, { kind: 'key-refused', status: 401 }],
  [429, { kind: 'rate-limited', retryAfterMs: 5_000 }],
])('a %i counts as such, also if its body is empty or broken', async (status, problem) => {
  for (const body of [undefined, 'not compressed', gzipSync('{"message":"No."}').subarray(0, 12)]) {
    server = await compressed(status, body);
    expect((await problemOf(aClient(server).client.listEvents({}, PERSON))).problem).toEqual(problem);
    server.close();
  }
});

test('a body that breaks off counts by its status unless it is the answer', async () => {
  server = await serve((request, response) => {
    response.writeHead(request.method === 'POST' ? 422 : 200, { 'content-length': '100' }).write('{');
    setImmediate(() => request.socket.destroy());
  });
  const { client } = aClient(server);
  expect((await problemOf(client.listEvents({}, PERSON))).problem).toEqual({ kind: 'unreachable' });
  expect(await problemOf(client.triggerEvents([anItem()], { idempotencyKey: 'k' }, PERSON))).toMatchObject({
    problem: { kind: 'refused', status: 422 },
    outcomeUnknown: false,
  });
});

test('an unknown event is unknown, also if the response is empty and says that it is compressed', async () => {
  server = await compressed(404);
  expect(await aClient(server).client.retrieveEvent('e-1', PERSON)).toBeNull();
});

test('an update without a body is done, also if the response says that it is compressed', async () => {
  server = await compressed(204);
  const { client } = aClient(server);
  expect(await client.updateCredentials('user-1', UPDATE, { idempotencyKey: 'k' }, PERSON)).toMatchObject({
    settings: [],
    isDeleted: false,
  });
});

test.each(['Text/HTML; charset=utf-8', 'application/xhtml+xml'])('a 404 in %s is no unknown event', async (type) => {
  server = await answering(404, '<html></html>', { 'content-type': type });
  const { problem } = await problemOf(aClient(server).client.retrieveEvent('e-1', PERSON));
  expect(problem).toEqual({ kind: 'gateway', status: 404 });
});

test.each(['<!DOCTYPE html><title>Sign in</title>', '\uFEFF\n <HTML lang="en"></HTML>'])(
  'a page is no answer of the service, whatever type it has: %s',
  async (page) => {
    for (const status of [401, 403, 404]) {
      server = await answering(status, page, { 'content-type': 'text/plain' });
      const { problem } = await problemOf(aClient(server).client.retrieveEvent('e-1', PERSON));
      expect(problem).toEqual({ kind: 'gateway', status });
      server.close();
    }
  },
);

test.each([
  [401, { kind: 'key-refused', status: 401 }],
  [403, { kind: 'key-refused', status: 403, message: 'No.' }],
])("the service's own %i counts as such, whatever type it has", async (status, problem) => {
  const body = JSON.stringify({ statusCode: status, message: 'No.' });
  server = await answering(status, body, { 'content-type': 'text/html; charset=utf-8' });
  expect((await problemOf(aClient(server).client.retrieveEvent('e-1', PERSON))).problem).toEqual(problem);
});

test("the service's own 404 is an unknown event, whatever type it has", async () => {
  server = await answering(404, '{"statusCode":404,"message":"No."}', { 'content-type': 'text/html' });
  expect(await aClient(server).client.retrieveEvent('e-1', PERSON)).toBeNull();
});

test('a 404 for an address that the server has no route for is no unknown event or topic', async () => {
  server = await serve((request, response) => {
    const message = `Cannot ${request.method} ${request.url}`;
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ message, error: 'Not Found', statusCode: 404 }));
  });
  const { client } = aClient(server);
  for (const call of [
    client.retrieveEvent('e-1', PERSON),
    client.listTopicSubscriptions('launch', {}, PERSON),
    client.updateCredentials('user-1', UPDATE, { idempotencyKey: 'k' }, PERSON),
  ])
    expect(await problemOf(call)).toMatchObject({ problem: { kind: 'gateway', status: 404 }, outcomeUnknown: false });
});

test('a body with a byte order mark is read', async () => {
  server = await answering(200, '\uFEFF{"data":[],"hasMore":false}');
  expect(await aClient(server).client.listEvents({}, PERSON)).toMatchObject({ items: [], hasMore: false });
});

test.each([
  '4bf92f3577b34da6a3ce929d0e0e4736',
  '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  '12345678-1234-4234-8234-123456789012',
  'A3CE929D-0E0E-4736-B34D-4BF92F3577B3',
])('an error ID is whole, for the people who look it up: %s', async (errorId) => {
  server = await answering(500, JSON.stringify({ statusCode: 500, message: 'Oh', errorId }));
  const { problem } = await problemOf(aClient(server).client.listEvents({}, PERSON));
  expect(problem).toEqual({ kind: 'service-error', status: 500, errorId });
});

test('an error body with a status as text keeps its reference', async () => {
  server = await answering(500, '{"statusCode":"500","message":"Oh","errorId":"e-77"}');
  const { problem } = await problemOf(aClient(server).client.listEvents({}, PERSON));
  expect(problem).toEqual({ kind: 'service-error', status: 500, errorId: 'e-77' });
});

test('a status of a trigger that holds a contact is masked, and the contract’s are as they came', async () => {
  const contract = ['processed', 'trigger_not_active', 'no_workflow_active_steps_defined', 'invalid_recipients'];
  const statuses = ['queued for anna@example.com', ...contract];
  server = await answering(201, JSON.stringify(statuses.map((status) => ({ acknowledged: true, status }))));
  const items = statuses.map(() => anItem());
  const results = await aClient(server).client.triggerEvents(items, { idempotencyKey: 'k' }, PERSON);
  expect(results.map(({ status }) => status)).toEqual(['queued for a•••@example.com', ...contract]);
});

test('a refusal of a trigger with one reason instead of a list keeps it', async () => {
  server = await answering(201, '[{"acknowledged":true,"status":"error","error":"The workflow has no steps."}]');
  const results = await aClient(server).client.triggerEvents([anItem()], { idempotencyKey: 'k' }, PERSON);
  expect(results).toMatchObject([{ status: 'error', errors: ['The workflow has no steps.'] }]);
});

test.each([
  ['Sunday, 20-Nov-26 12:00:09 GMT', 9_000],
  ['Fri Nov 20 12:00:09 2026', 9_000],
  ['2026-11-20T12:00:09Z', 9_000],
  ['-1', null],
  ['"5"', null],
  ['5 seconds', null],
  ['May 5', null],
])('Retry-After %s is only read as a time that it states', (value, ms) => {
  expect(retryAfterMs(new Headers({ 'retry-after': value }), NOW)).toBe(ms);
});
