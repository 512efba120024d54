import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failed } from '../../sandbox/notification-service/examples.ts';
import { ONCALL } from '../support/person.ts';
import { openWorld, type World } from '../support/world.ts';

const SECRET = '/ping/9f2c41';
const AN_HOUR = 3_600_000;

/** Starts a switch, and returns its address and the calls that it gets. */
async function startSwitch(): Promise<{ server: Server; url: string; calls: string[] }> {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`);
    response.end('OK');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { server, url: `http://127.0.0.1:${port}${SECRET}`, calls };
}

test("the dead man's switch gets a heartbeat after the first polls, however long the poll interval is", async () => {
  const { server, url, calls } = await startSwitch();
  const variables = { NOTIF_HEARTBEAT_URL: url, NOTIF_POLL_SECONDS: '3600' };
  const world = await openWorld({ environments: ['production', 'staging'], variables });
  await expect.poll(() => calls.length, { timeout: 60_000 }).toBeGreaterThan(0);
  await world.close();
  server.closeAllConnections();
  server.close();
});

describe("the dead man's switch", () => {
  let world: World;
  let server: Server;
  let calls: string[];
  beforeAll(async () => {
    const started = await startSwitch();
    server = started.server;
    calls = started.calls;
    const variables = { NOTIF_HEARTBEAT_URL: started.url };
    world = await openWorld({ environments: ['production', 'staging'], variables });
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    expect(world.log.saying(SECRET)).toEqual([]);
    await world.close();
  });

  async function isCalledAgain(): Promise<void> {
    const before = calls.length;
    await expect.poll(() => calls.length, { timeout: 60_000 }).toBeGreaterThan(before + 1);
  }

  async function metric(sample: string): Promise<number> {
    const port = world.log.saying('Listening for health checks').at(-1)?.port;
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const line = text.split('\n').find((one) => one.startsWith(`${sample} `));
    return Number(line?.slice(sample.length) ?? Number.NaN);
  }

  test('gets heartbeats from a bot that checks and posts everything', async () => {
    await isCalledAgain();
    expect(new Set(calls)).toEqual(new Set([`GET ${SECRET}`]));
    expect(await metric('notif_heartbeats_total{outcome="answered"}')).toBeGreaterThan(0);
    expect(await metric('notif_poll_age_seconds{environment="staging"}')).toBeLessThan(60);
  });

  test("gets no heartbeat while one environment can't be polled, and the next when it can", async () => {
    const unchecked = "staging isn't checked in time";
    const withheld = world.log.saying(unchecked).length;
    world.serviceOf('staging').faults.set('all', { kind: 'status', status: 401 });
    world.passes(AN_HOUR);
    await world.log.until(unchecked, withheld + 1);
    world.serviceOf('staging').faults.clear();
    await isCalledAgain();
  });

  test('gets no heartbeat while a message is held up, and the next when it is posted', async () => {
    const withheld = world.log.saying('messages are pending').length;
    await world.lines.slack.cut();
    world.service.world.plantEvent(failed('email', { subscriber: 'ape' }));
    await world.log.until("Slack's answer to a message's post: not-posted");
    world.passes(AN_HOUR);
    await world.log.until('messages are pending', withheld + 1);
    expect(await metric('notif_oldest_message_held_up_seconds')).toBeGreaterThan(3_000);
    await world.lines.slack.restore();
    world.passes(AN_HOUR);
    await world.ann.sees('Unauthorized (401)', ONCALL);
    await isCalledAgain();
  });
});
