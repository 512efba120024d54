import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { type Served, serve } from '../lib/serve.testing.ts';
import { sleep } from '../lib/time/waiting.ts';
import { OVERSIZED } from './classify.ts';
import { aClient, anItem, answering, PERSON, problemOf } from './client.testing.ts';
import { createLimiter, type Limiter } from './limits.ts';
import type { NotificationService } from './operations.ts';

let server: Served | undefined;

afterEach(() => server?.close());

const read = (client: NotificationService) => client.listEvents({}, PERSON);
const write = (client: NotificationService) => client.triggerEvents([anItem()], { idempotencyKey: 'k' }, PERSON);

const json = (status: number, fields: object = {}) =>
  JSON.stringify({ statusCode: status, path: '/v1/notifications?emails=anna@example.com', message: 'No.', ...fields });
const HTML = '\uFEFF\n<html><body>Bad Gateway, nginx</body></html>';
const refused = (status: number, message: string) => ({ kind: 'refused', status, message });
const unreadable = { kind: 'unreadable', status: 200, wrong: null };
const listed = { message: ['one', 'two'], errors: { limit: { messages: ['max 50'], value: 51 }, general: {} } };
const bare = { message: 'Validation Error', errors: { 'events.1.to': {}, page: 'odd' } };

/** The rows of the field notes' table: status and body, the problem, whether a write's outcome is unknown, and the tries of a read. */
test.each<[status: number, body: string, problem: object, outcomeUnknown: boolean, readTries: number]>([
  [400, json(400), refused(400, 'No.'), false, 1],
  [400, HTML, { kind: 'gateway', status: 400 }, false, 1],
  [401, json(401), { kind: 'key-refused', status: 401 }, false, 1],
  [401, HTML, { kind: 'gateway', status: 401 }, false, 1],
  [402, json(402, { message: 'It keeps 30 days' }), { kind: 'beyond-plan', message: 'It keeps 30 days' }, false, 1],
  [403, json(403), { kind: 'key-refused', status: 403, message: 'No.' }, false, 1],
  [404, json(404), { kind: 'gateway', status: 404 }, false, 1],
  [408, json(408), refused(408, 'No.'), true, 1],
  [409, json(409), refused(409, 'No.'), true, 1],
  [413, HTML, refused(413, ''), false, 1],
  [422, json(422, listed), refused(422, 'limit: max 50'), false, 1],
  [422, json(422, bare), refused(422, 'events.1.to: invalid; page: invalid'), false, 1],
  [500, json(500, { errorId: 'e-1' }), { kind: 'service-error', status: 500, errorId: 'e-1' }, true, 3],
  [502, '{"ok":false}', { kind: 'gateway', status: 502 }, true, 3],
  [502, HTML, { kind: 'gateway', status: 502 }, true, 3],
  [200, HTML, { ...unreadable, wrong: 'a web page' }, true, 1],
  [200, '{"hasMore":', unreadable, true, 1],
  [200, '{"items":[]}', { ...unreadable, wrong: expect.any(String) }, true, 1],
])('the client classifies %i %s', async (status, body, problem, outcomeUnknown, readTries) => {
  let tries = 0;
  server = await serve((_request, response) => {
    tries++;
    response.writeHead(status).end(body);
  });
  const ofRead = { environment: 'production', operation: 'listEvents', problem, outcomeUnknown: false };
  expect(await problemOf(read(aClient(server.url).client))).toMatchObject(ofRead);
  expect(tries).toBe(readTries);
  tries = 0;
  const ofWrite = { operation: 'triggerEvents', problem, outcomeUnknown };
  expect(await problemOf(write(aClient(server.url).client))).toMatchObject(ofWrite);
  expect(tries).toBe(1);
});

test('the client repeats reads and writes twice after a 429, as late as Retry-After says', async () => {
  server = await answering(429, json(429), { 'retry-after': '3' });
  for (const ask of [read, write]) {
    const { client, waits } = aClient(server.url);
    expect(await problemOf(ask(client))).toMatchObject({
      problem: { kind: 'rate-limited', retryAfterMs: 3_000 },
      outcomeUnknown: false,
    });
    expect(waits).toEqual([3_000, 3_000]);
  }
});

test("a 429 isn't one of the three tries of a read that fails", async () => {
  const statuses = [500, 500, 429, 500];
  server = await serve((_request, response) => {
    response.writeHead(statuses.shift() ?? 200, { 'retry-after': '1' }).end(json(500));
  });
  expect(await problemOf(read(aClient(server.url).client))).toMatchObject({ problem: { kind: 'service-error' } });
  expect(statuses).toEqual([]);
});

test.each([429, 503])('the client waits no longer than ten seconds for another try after a %i', async (status) => {
  server = await answering(status, json(status), { 'retry-after': '11' });
  const { client, waits } = aClient(server.url);
  await problemOf(read(client));
  expect(waits).toEqual([]);
});

test('the client lets nobody wait longer than 25 s, even with retries left', async () => {
  let now = 0;
  server = await serve((_request, response) => {
    now += 13_000;
    response.writeHead(503).end(json(503));
  });
  const { client, waits } = aClient(server.url, { now: () => now });
  await problemOf(read(client));
  expect(waits).toHaveLength(1);
});

test('the client gives up on a missing response after three tries of a read and one of a write', async () => {
  server = await serve(() => {});
  const { client, log, waits } = aClient(server.url, { timeoutMs: 30 });
  const tries = () => log.map(({ fields }) => fields);
  expect(await problemOf(read(client))).toMatchObject({ problem: { kind: 'timed-out' } });
  const pausesOfThreeTries = [250, 500];
  expect(waits).toEqual(pausesOfThreeTries);
  expect(tries()).toMatchObject([1, 2, 3].map((attempt) => ({ attempt })));
  expect(await problemOf(write(client))).toMatchObject({ problem: { kind: 'timed-out' }, outcomeUnknown: true });
  expect(tries()).toMatchObject([1, 2, 3, 1].map((attempt) => ({ attempt })));
});

test("the client doesn't follow a redirect, so that the key doesn't leak", async () => {
  let arrived = false;
  const elsewhere = await serve((_request, response) => {
    arrived = true;
    response.end();
  });
  server = await answering(307, '', { location: elsewhere.url });
  const error = await problemOf(read(aClient(server.url).client));
  elsewhere.close();
  expect(error.problem).toEqual({ kind: 'gateway', status: 307 });
  expect(arrived).toBe(false);
});

test("a write wasn't carried out without a connection or TLS, and may have been when the connection breaks", async () => {
  server = await serve((request) => request.socket.destroy());
  const broken = await problemOf(write(aClient(server.url).client));
  expect(broken).toMatchObject({ problem: { kind: 'unreachable' }, outcomeUnknown: true });
  const gone = await answering(200, '');
  gone.close();
  for (const url of [gone.url, server.url.replace('http:', 'https:')]) {
    const error = await problemOf(write(aClient(url).client));
    expect(error).toMatchObject({ problem: { kind: 'unreachable' }, outcomeUnknown: false });
  }
});

test('an answer whose body breaks off counts as a lost connection', async () => {
  server = await serve((request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{');
    setImmediate(() => request.socket.destroy());
  });
  const { problem } = await problemOf(read(aClient(server.url).client));
  expect(problem).toEqual({ kind: 'unreachable', code: 'UND_ERR_SOCKET' });
});

test('the client rejects a response of more than 32 MB, also if only decompressed', async () => {
  server = await serve((_request, response) => {
    response
      .writeHead(200, { 'content-encoding': 'gzip' })
      .end(gzipSync(Buffer.alloc(33 * 1024 * 1024, ' '), { level: 1 }));
  });
  const problem = { kind: 'unreadable', status: 200, wrong: OVERSIZED };
  expect((await problemOf(read(aClient(server.url).client))).problem).toEqual(problem);
});

test('a 404 for an address that the server has no route for, or in HTML, is no unknown event or topic', async () => {
  const message = 'Cannot GET /v1/notifications/e-1';
  for (const body of [JSON.stringify({ message, error: 'Not Found', statusCode: 404 }), HTML]) {
    server = await answering(404, body);
    const { client } = aClient(server.url);
    for (const call of [client.retrieveEvent('e-1', PERSON), client.listTopicSubscriptions('launch', {}, PERSON)])
      expect((await problemOf(call)).problem).toEqual({ kind: 'gateway', status: 404 });
    server.close();
  }
});

test("the client rejects with the signal's reason, during a read and during a wait", async () => {
  const reason = new Error('the person left');
  const reading = new AbortController();
  server = await serve(() => reading.abort(reason));
  await expect(aClient(server.url).client.listEvents({}, { ...PERSON, signal: reading.signal })).rejects.toBe(reason);
  server.close();

  const waiting = new AbortController();
  server = await serve((_request, response) => {
    response.writeHead(429, { 'retry-after': '9' }).end();
    response.on('close', () => setImmediate(() => waiting.abort(reason)));
  });
  const { client } = aClient(server.url, { sleep });
  await expect(client.listEvents({}, { ...PERSON, signal: waiting.signal })).rejects.toBe(reason);
});

test("the client doesn't abort a write in flight, since its response shows its outcome", async () => {
  const controller = new AbortController();
  server = await serve((_request, response) => {
    controller.abort();
    response.writeHead(201).end('[{"acknowledged":true,"status":"processed"}]');
  });
  const call = { ...PERSON, signal: controller.signal };
  const { client } = aClient(server.url);
  expect(await client.triggerEvents([anItem()], { idempotencyKey: 'k' }, call)).toHaveLength(1);
});

test('the client answers a person for whom there was no room', async () => {
  const queued: number[] = [];
  const run: Limiter['run'] = async (_call, waitMs, busy) => {
    queued.push(waitMs);
    throw busy;
  };
  const limiter = { ...createLimiter(), run };
  const error = await problemOf(write(aClient('http://127.0.0.1:1', { limiter }).client));
  expect(error).toMatchObject({ problem: { kind: 'busy' }, outcomeUnknown: false });
  expect(queued).toEqual([8_000]);
});
