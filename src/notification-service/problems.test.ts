import { Readable } from 'node:stream';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { OVERSIZED } from '../domain/errors.ts';
import { createAsk } from './ask.ts';
import { aClient, anItem, answering, PERSON, problemOf, type Server, serve } from './client.testing.ts';
import type { NotificationService } from './client.ts';
import { createServiceClock } from './clock.ts';
import { createLimiter } from './limiter.ts';

let server: Server | undefined;

afterEach(() => server?.close());

const read = (client: NotificationService) => client.listEvents({}, PERSON);
const write = (client: NotificationService) => {
  return client.triggerEvents([anItem()], { idempotencyKey: 'k' }, PERSON);
};

const UPDATE = { providerId: 'fcm', credentials: {} };

const own = (status: number, fields: object = {}) =>
  JSON.stringify({ statusCode: status, path: '/v1/notifications?emails=anna@example.com', message: 'No.', ...fields });
const HTML = '<html><body>Bad Gateway, nginx</body></html>';

/**
 * The rows of the field notes' table: status and body, the problem, whether a write's outcome is unknown, and the number of tries of a read
 * and of a write.
 */
test.each([
  [400, own(400), { kind: 'refused', status: 400, message: 'No.', fields: [] }, false, 1, 1],
  [400, '', { kind: 'refused', status: 400, message: '', fields: [] }, false, 1, 1],
  [
    422,
    own(422, { message: ['one', 'two'], errors: { limit: { messages: ['max 50'], value: 51 }, general: {} } }),
    { kind: 'refused', status: 422, message: 'one; two', fields: ['limit'] },
    false,
    1,
    1,
  ],
  [401, own(401), { kind: 'key-refused', status: 401 }, false, 1, 1],
  [401, '', { kind: 'key-refused', status: 401 }, false, 1, 1],
  [401, HTML, { kind: 'gateway', status: 401 }, false, 1, 1],
  [403, own(403), { kind: 'key-refused', status: 403, message: 'No.' }, false, 1, 1],
  [403, HTML, { kind: 'gateway', status: 403 }, false, 1, 1],
  [
    402,
    own(402, { message: 'Your plan keeps 30 days' }),
    { kind: 'beyond-plan', message: 'Your plan keeps 30 days' },
    false,
    1,
    1,
  ],
  [404, own(404), { kind: 'gateway', status: 404 }, false, 1, 1],
  [409, own(409), { kind: 'still-running' }, true, 1, 9],
  [408, own(408), { kind: 'refused', status: 408, message: 'No.', fields: [] }, true, 1, 1],
  [413, HTML, { kind: 'too-large', message: '' }, false, 1, 1],
  [413, own(413), { kind: 'too-large', message: 'No.' }, false, 1, 1],
  [429, own(429), { kind: 'rate-limited', retryAfterMs: 5_000 }, false, 3, 3],
  [500, own(500, { errorId: 'e-1' }), { kind: 'service-error', status: 500, errorId: 'e-1' }, true, 3, 1],
  [503, own(503), { kind: 'service-error', status: 503, errorId: null }, true, 3, 1],
  [500, '{"statusCode":500,"errorId":"e-2"}', { kind: 'service-error', status: 500, errorId: 'e-2' }, true, 3, 1],
  [
    500,
    own(500, { message: { error: 'Oh' }, errorId: 'e-3' }),
    { kind: 'service-error', status: 500, errorId: 'e-3' },
    true,
    3,
    1,
  ],
  [
    400,
    own(400, { message: { statusCode: 400, message: ['one', {}, 'two'] } }),
    { kind: 'refused', status: 400, message: 'one; two', fields: [] },
    false,
    1,
    1,
  ],
  [502, '{"ok":false}', { kind: 'gateway', status: 502 }, true, 3, 1],
  [502, HTML, { kind: 'gateway', status: 502 }, true, 3, 1],
  [504, '', { kind: 'gateway', status: 504 }, true, 3, 1],
  [418, own(418), { kind: 'refused', status: 418, message: 'No.', fields: [] }, false, 1, 1],
  [418, HTML, { kind: 'gateway', status: 418 }, false, 1, 1],
  [200, HTML, { kind: 'unreadable', status: 200, wrong: null }, true, 1, 1],
  [200, '', { kind: 'unreadable', status: 200, wrong: null }, true, 1, 1],
  [204, '', { kind: 'unreadable', status: 204, wrong: expect.any(String) }, true, 1, 1],
  [200, '{"hasMore":', { kind: 'unreadable', status: 200, wrong: null }, true, 1, 1],
  [200, '{"items":[]}', { kind: 'unreadable', status: 200, wrong: expect.any(String) }, true, 1, 1],
])('the client classifies %i %s', async (status, body, problem, outcomeUnknown, readTries, writeTries) => {
  let tries = 0;
  server = await serve((_request, response) => {
    tries++;
    response.writeHead(status).end(status === 204 ? undefined : body);
  });
  expect(await problemOf(read(aClient(server).client))).toMatchObject({
    environment: 'production',
    operation: 'listEvents',
    problem,
    outcomeUnknown: false,
  });
  expect(tries).toBe(readTries);
  tries = 0;
  expect(await problemOf(write(aClient(server).client))).toMatchObject({
    operation: 'triggerEvents',
    problem,
    outcomeUnknown,
  });
  expect(tries).toBe(writeTries);
});

test("the client doesn't follow a redirect, so that the key doesn't leak", async () => {
  let arrived = false;
  const elsewhere = await serve((_request, response) => {
    arrived = true;
    response.end();
  });
  server = await answering(307, '', { location: elsewhere.url });
  const error = await problemOf(read(aClient(server).client));
  expect(error.problem).toEqual({ kind: 'gateway', status: 307 });
  expect(arrived).toBe(false);
  elsewhere.close();
});

test('the client gives up on a missing response after three tries of a read and one of a write', async () => {
  server = await serve(() => {});
  const { client, waits } = aClient({ url: server.url, timeoutMs: 30 });
  const { problem } = await problemOf(read(client));
  const pausesOfThreeTries = [250, 500];
  expect(waits).toEqual(pausesOfThreeTries);
  // The caller's whole wait: three tries and the pauses between them.
  expect(problem.kind === 'timed-out' && problem.afterMs).toBeGreaterThanOrEqual(800);
  expect(await problemOf(write(client))).toMatchObject({ problem: { kind: 'timed-out' }, outcomeUnknown: true });
  expect(waits).toEqual(pausesOfThreeTries);
});

test('the client gives up on a response whose body never ends', async () => {
  server = await serve((_request, response) => void response.writeHead(200).write('{"data":['));
  const { client } = aClient({ url: server.url, timeoutMs: 30 });
  expect((await problemOf(read(client))).problem.kind).toBe('timed-out');
});

test('the client continues after a slow try', async () => {
  let tries = 0;
  server = await serve((_request, response) => {
    if (++tries > 1) response.end('{"data":[],"hasMore":false}');
  });
  const { client, log } = aClient({ url: server.url, timeoutMs: 1_000 });
  expect((await read(client)).items).toEqual([]);
  expect(log).toEqual([
    {
      level: 'debug',
      sentence: 'Asked the Notification Service',
      fields: expect.objectContaining({ operation: 'listEvents', outcome: 'timed-out', attempt: 1 }),
    },
    {
      level: 'debug',
      sentence: 'Asked the Notification Service',
      fields: {
        operation: 'listEvents',
        environment: 'production',
        status: 200,
        ms: expect.any(Number),
        attempt: 2,
      },
    },
  ]);
});

test("the client reports a write's outcome as unknown when the connection breaks", async () => {
  server = await serve((request) => request.socket.destroy());
  const error = await problemOf(write(aClient(server).client));
  expect(error).toMatchObject({ problem: { kind: 'unreachable' }, outcomeUnknown: true });
});

test("the client reports that a write wasn't carried out when there was no connection", async () => {
  const gone = await answering(200, '');
  gone.close();
  const error = await problemOf(write(aClient(gone).client));
  expect(error).toMatchObject({
    problem: { kind: 'unreachable' },
    outcomeUnknown: false,
    cause: { code: 'ECONNREFUSED' },
  });
});

test("the client reports that a write wasn't carried out when the service doesn't use TLS", async () => {
  let requests = 0;
  server = await serve(() => void requests++);
  const error = await problemOf(write(aClient({ url: server.url.replace('http:', 'https:') }).client));
  expect(error).toMatchObject({ problem: { kind: 'unreachable' }, outcomeUnknown: false });
  expect(requests).toBe(0);
});

test('the client decodes a character whose bytes arrive in two chunks', async () => {
  const body = Buffer.from('{"data":[{"transactionId":"🎉"}],"hasMore":false}');
  const middle = body.indexOf('🎉') + 2;
  server = await serve((_request, response) => {
    response.write(body.subarray(0, middle), () => setImmediate(() => response.end(body.subarray(middle))));
  });
  expect((await read(aClient(server).client)).items).toMatchObject([{ transactionId: '🎉' }]);
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
])('the client reads a compressed response: %s', async (coding, compressed) => {
  let accepted: unknown;
  server = await serve((request, response) => {
    accepted = request.headers['accept-encoding'];
    response.writeHead(200, { 'content-encoding': coding });
    response.end(compressed('{"data":[{"transactionId":"txn_1"}],"hasMore":false}'));
  });
  expect((await read(aClient(server).client)).items).toMatchObject([{ transactionId: 'txn_1' }]);
  expect(accepted).toContain(coding);
});

test('the client reports a compressed response that breaks off', async () => {
  server = await serve((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.end(gzipSync('{"data":[],"hasMore":false}').subarray(0, 20));
  });
  expect((await problemOf(read(aClient(server).client))).problem).toEqual({ kind: 'unreachable' });
});

test('the client reads a response with non-ASCII headers', async () => {
  server = await serve((request) => {
    const body = '{"data":[],"hasMore":false}';
    request.socket.end(`HTTP/1.1 200 OK\r\nx-note: → é\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  });
  expect((await read(aClient(server).client)).items).toEqual([]);
});

test('the client rejects a response of more than 32 MB, also if only decompressed', async () => {
  const megabyte = Buffer.alloc(1024 * 1024, ' ');
  server = await serve((_request, response) => {
    Readable.from(Array.from({ length: 40 }, () => megabyte)).pipe(response);
  });
  const problem = { kind: 'unreadable', status: 200, wrong: OVERSIZED };
  expect((await problemOf(read(aClient(server).client))).problem).toEqual(problem);
  server.close();
  const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024, ' '));
  server = await serve((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
  });
  expect((await problemOf(read(aClient(server).client))).problem).toEqual(problem);
});

test('the client waits as long as Retry-After says, and gives up if that is over ten seconds', async () => {
  server = await answering(429, own(429), { 'retry-after': '3' });
  const patient = aClient(server);
  await problemOf(read(patient.client));
  expect(patient.waits).toEqual([3_000, 3_000]);
  server.close();
  server = await answering(429, own(429), { 'retry-after': '11' });
  const busy = aClient(server);
  expect((await problemOf(read(busy.client))).problem).toEqual({ kind: 'rate-limited', retryAfterMs: 11_000 });
  expect(busy.waits).toEqual([]);
});

test('the client reports what is wrong with a request, however often a rate limit has delayed its tries', async () => {
  const statuses = [500, 500, 429, 500];
  server = await serve((_request, response) => {
    const status = statuses.shift() ?? 429;
    response.writeHead(status, status === 429 ? { 'retry-after': '3' } : {}).end(own(status));
  });
  expect((await problemOf(read(aClient(server).client))).problem).toMatchObject({ kind: 'service-error', status: 500 });
  expect(statuses).toEqual([]);
});

test("the client waits as long as a 503's Retry-After says, and gives up if that is over ten seconds", async () => {
  server = await answering(503, own(503), { 'retry-after': '3' });
  const patient = aClient(server);
  await problemOf(read(patient.client));
  expect(patient.waits).toEqual([3_000, 3_000]);
  server.close();
  server = await answering(503, own(503), { 'retry-after': '60' });
  const busy = aClient(server);
  await problemOf(read(busy.client));
  expect(busy.waits).toEqual([]);
});

test('the client retries with the same key while the same request is running', async () => {
  const keys: unknown[] = [];
  server = await serve((request, response) => {
    keys.push(request.headers['idempotency-key']);
    if (keys.length < 3) response.writeHead(409, { 'retry-after': '1' }).end(own(409));
    else response.writeHead(201).end('[{"acknowledged":true,"status":"processed"}]');
  });
  const { client, waits } = aClient(server);
  expect(await write(client)).toHaveLength(1);
  expect(keys).toEqual(['k', 'k', 'k']);
  expect(waits).toEqual([1_000, 1_000]);
});

test("the client reports a write's outcome as unknown once one try may have gone through, whatever later tries return", async () => {
  let tries = 0;
  server = await serve((_request, response) => {
    tries++;
    response.writeHead(tries === 1 ? 409 : 422).end(own(tries === 1 ? 409 : 422));
  });
  const error = await problemOf(write(aClient(server).client));
  expect(error).toMatchObject({ problem: { kind: 'refused', status: 422 }, outcomeUnknown: true });
});

test.each([
  ['a trigger', write],
  [
    'a change of credentials',
    (client: NotificationService) => client.updateCredentials('user-1', UPDATE, { idempotencyKey: 'k' }, PERSON),
  ],
])("the client doesn't take a 404 of %s for its outcome once one try may have gone through", async (_, change) => {
  let tries = 0;
  server = await serve((_request, response) => {
    tries++;
    response.writeHead(tries === 1 ? 409 : 404).end(own(tries === 1 ? 409 : 404));
  });
  expect(await problemOf(change(aClient(server).client))).toMatchObject({
    problem: { kind: 'gateway', status: 404 },
    outcomeUnknown: true,
  });
});

test('the client names the field because of which an answer is unreadable', async () => {
  server = await answering(200, JSON.stringify({ _id: '65f000000000000000000001', transactionId: 7 }));
  const asked = aClient(server).client.retrieveEvent('65f000000000000000000001', PERSON);
  expect((await problemOf(asked)).problem).toEqual({
    kind: 'unreadable',
    status: 200,
    wrong: 'transactionId: expected string',
  });
});

test('the client lets nobody wait longer than 25 s, even with retries left', async () => {
  server = await answering(429, own(429), { 'retry-after': '9' });
  const slow = aClient(server);
  await problemOf(write(slow.client));
  expect(slow.waits).toEqual([9_000, 9_000]);
  server.close();
  server = await answering(409, own(409), { 'retry-after': '9' });
  const slower = aClient(server);
  expect((await problemOf(write(slower.client))).problem).toEqual({ kind: 'still-running' });
  expect(slower.waits).toEqual([9_000, 9_000]);
});

test("the client rejects with the signal's reason, during a read and during a wait", async () => {
  const controller = new AbortController();
  const reason = new Error('the person left');
  server = await serve(() => controller.abort(reason));
  const call = { who: 'person', signal: controller.signal } as const;
  await expect(aClient(server).client.listEvents({}, call)).rejects.toBe(reason);
  server.close();

  const waiting = new AbortController();
  server = await serve((_request, response) => {
    response.writeHead(429, { 'retry-after': '9' }).end();
    response.on('close', () => setImmediate(() => waiting.abort(reason)));
  });
  const ask = createAsk({ ...silent, clock: createServiceClock(), url: server.url });
  const operation = { name: 'read', method: 'GET', path: '/', read: succeed } as const;
  await expect(ask(operation, { who: 'person', signal: waiting.signal })).rejects.toBe(reason);
});

const succeed = () => ({ ok: true, value: 1, odd: [] }) as const;

/** As in production, the client really waits. */
const silent = {
  environment: 'production',
  apiKey: 'k',
  limiter: createLimiter(),
  logger: { debug() {}, info() {}, warn() {}, error() {} },
};

test('the client sends each try with the key of that moment', async () => {
  const keys = ['replaced', 'new'];
  const sent: (string | undefined)[] = [];
  server = await serve((request, response) => {
    sent.push(request.headers.authorization);
    keys.shift();
    response.writeHead(sent.length === 1 ? 503 : 200).end('{"data":[],"hasMore":false}');
  });
  await read(aClient({ url: server.url, apiKey: () => keys[0] ?? 'none' }).client);
  expect(sent).toEqual(['ApiKey replaced', 'ApiKey new']);
});

test('the client retries a read twice after an error, and twice after a 429', async () => {
  let tries = 0;
  server = await serve((_request, response) => {
    response.writeHead(tries++ % 2 === 0 ? 503 : 429, { 'retry-after': '1' }).end();
  });
  await problemOf(read(aClient(server).client));
  expect(tries).toBe(5);
});

test("the client doesn't abort a write in flight, since its response shows its outcome", async () => {
  const controller = new AbortController();
  server = await serve((_request, response) => {
    controller.abort();
    response.writeHead(201).end('[{"acknowledged":true,"status":"processed"}]');
  });
  const call = { who: 'person', signal: controller.signal } as const;
  expect(await aClient(server).client.triggerEvents([anItem()], { idempotencyKey: 'k' }, call)).toHaveLength(1);
});

test('the client reports that there was no room for a request', async () => {
  server = await serve(() => {});
  const limiter = createLimiter({ maxConcurrent: 1, maxWaitMs: { person: 20, poller: 20 } });
  const { client } = aClient({ url: server.url, limiter, timeoutMs: 200 });
  const first = problemOf(read(client));
  expect((await problemOf(read(client))).problem).toMatchObject({ kind: 'busy' });
  await first;
});
