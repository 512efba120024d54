import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { aHealth } from '../domain/health/health.testing.ts';
import type { LastHeartbeat } from '../domain/health/heartbeat-report.ts';
import type { Logger } from '../domain/logger.ts';
import { at, NOON } from '../domain/service/event.testing.ts';
import { sendHeartbeat } from '../use-cases/health/send-heartbeat.ts';
import { callHeartbeat } from './heartbeat.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function aSwitch(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/ping/s3cr3t?rid=s3cr3t`;
}

async function heartbeat(url: string, { secondsAgo = 10, timeoutMs = 10_000 } = {}) {
  const outcomes: LastHeartbeat['outcome'][] = [];
  const noted: LastHeartbeat[] = [];
  const lines: string[] = [];
  const note = (fields: object, sentence: string): void => void lines.push(`${sentence} ${JSON.stringify(fields)}`);
  const logger: Logger = { debug: note, info: note, warn: note, error: note };
  await sendHeartbeat({
    store: {
      health: async () => [aHealth({ lastSuccessAt: at(-secondsAgo) })],
      backlog: async () => ({ waiting: 0, oldest: null, oldestHeldUp: null }),
      lastDeliveryAt: async () => NOON,
      noteHeartbeat: async (last) => void noted.push(last),
    },
    call: (stopping) => callHeartbeat(url, stopping, timeoutMs),
    environments: ['production'],
    pollMs: 60_000,
    logger,
    now: () => NOON,
    signal: new AbortController().signal,
    onHeartbeat: (outcome) => outcomes.push(outcome),
  });
  return { outcomes, lines, noted };
}

test('the heartbeat calls the address unchanged, by GET', async () => {
  const requests: string[] = [];
  const url = await aSwitch((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.end('OK');
  });
  expect(await heartbeat(url)).toEqual({
    outcomes: ['answered'],
    lines: [],
    noted: [{ outcome: 'answered', why: null, at: NOON }],
  });
  expect(requests).toEqual(['GET /ping/s3cr3t?rid=s3cr3t']);
});

test("the heartbeat is withheld when an environment hasn't been polled, and the log names it", async () => {
  const url = await aSwitch(() => {
    throw new Error('nobody is to call');
  });
  const { outcomes, lines, noted } = await heartbeat(url, { secondsAgo: 600 });
  expect(outcomes).toEqual(['withheld']);
  expect(noted).toEqual([{ outcome: 'withheld', why: "production isn't checked in time", at: NOON }]);
  expect(lines).toEqual([expect.stringMatching(/^heartbeat withheld.*"environment":"production"/)]);
});

test.each<[string, RequestListener | null, RegExp, timeoutMs?: number]>([
  ['refuses it', (_, response) => response.writeHead(404).end(), /"kind":"answered","status":404/],
  ['breaks off', (request) => request.socket.destroy(), /"kind":"unreachable","code":"UND_ERR_SOCKET"/],
  ['does not answer', () => {}, /"kind":"timed-out"/, 200],
  ['is not there', null, /"kind":"unreachable","code":"ECONNREFUSED"/],
])('the heartbeat logs that the switch %s, without its address', async (_, listener, said, timeoutMs = 10_000) => {
  const url = await aSwitch(listener ?? (() => {}));
  if (listener === null) server?.close();
  const { outcomes, lines, noted } = await heartbeat(url, { timeoutMs });
  expect(outcomes).toEqual(['failed']);
  expect(lines).toEqual([expect.stringMatching(said)]);
  expect(noted).toMatchObject([{ outcome: 'failed', why: expect.stringContaining('its address') }]);
  expect(JSON.stringify([lines, noted])).not.toMatch(/s3cr3t|127\.0\.0\.1/);
});

test('the heartbeat call ends when Notif stops', async () => {
  const url = await aSwitch(() => {});
  expect(await callHeartbeat(url, AbortSignal.abort())).toEqual({ kind: 'unreachable', code: null });
});
