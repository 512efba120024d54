import { randomBytes } from 'node:crypto';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { bounced, failed } from '../../sandbox/service/examples.ts';
import { type Served, serve } from '../../src/lib/serve.testing.ts';
import { type LocalProxy, startProxy } from '../../src/process/proxy.testing.ts';
import { takeProxy } from '../../src/process/proxy.ts';
import { GENERAL, ONCALL } from '../support/person.ts';
import { inWorld, MINUTE, openWorld, openWorldAsleep, sharedWorld, type World } from '../support/world.ts';

describe('a failing service', () => {
  const environments = ['sound', 'hanging', 'gone'];
  // Nothing listens on port 1. There is no second poll, which would run into the same problem and log it.
  const variables = { NOTIF_GONE_API_URL: 'http://127.0.0.1:1' };
  const world = sharedWorld(() => openWorld({ environments, variables }));
  beforeAll(() => void world.serviceOf('hanging').faults.set('retrieveEvent', { kind: 'hang' }));

  test('is reported with its problem and the next step', async () => {
    const { ann } = world;
    await ann.types('/notif event 65f2a1c0d4e5f60718293a4b env:gone');
    const answer = await ann.sees("⚠️ Couldn't read from gone: there was no connection to it", GENERAL);
    expect(answer.words).toContain('the network and NOTIF_GONE_API_URL');
    const [, reference = 'none'] = /Reference (\w{5})$/.exec(answer.words) ?? [];
    expect(world.log.saying(reference)).toMatchObject([{ reference, environment: 'gone', level: 'warn' }]);
  });

  test("doesn't delay the answer about where else an ID exists", async () => {
    const { ben, serviceOf, impatiently } = world;
    // Slack has described ben before.
    await ben.asks('/notif help');
    const answer = impatiently(ben.asks('/notif event 0123456789abcdef01234567 env:sound'));
    expect((await answer).words).toContain('No event found for 0123456789abcdef01234567 in sound');
    const gotRequest = (name: string) => JSON.stringify(serviceOf(name).requests).includes('0123456789abcdef01234567');
    expect([gotRequest('sound'), gotRequest('hanging')]).toEqual([true, true]);
  });
});

/** A proxy to a service. It never answers a list that ends more than five minutes ago, as the passes over the past ask. */
class HangingPast {
  target = '';
  hung = 0;
  now = () => Date.now();

  pass(call: IncomingMessage, answer: ServerResponse): void {
    const before = new URL(call.url ?? '', 'http://service').searchParams.get('before');
    if (before !== null && Date.parse(before) < this.now() - 5 * MINUTE) {
      this.hung += 1;
      return;
    }
    const onward = request(`${this.target}${call.url}`, { method: call.method, headers: call.headers }, (from) => {
      answer.writeHead(from.statusCode ?? 502, from.headers);
      from.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    call.pipe(onward);
  }
}

describe('when every list of the past hangs, and an event has an ID of 6 kB', () => {
  const way = new HangingPast();
  let proxy: Served;
  let world: World;
  beforeAll(async () => {
    proxy = await serve((call, answer) => way.pass(call, answer));
    world = await openWorldAsleep({ variables: { NOTIF_PRODUCTION_API_URL: proxy.url } });
    way.target = world.service.url;
    way.now = () => world.service.world.now();
    world.service.world.plantEvent(bounced({ subscriber: 'user-1' }));
    await world.start();
    await world.log.until('Events checked');
  });
  afterAll(async () => {
    await world.close();
    proxy.close();
  });

  test('Notif posts failures of other incidents without waiting for those lists', async () => {
    const { service, ann, log, passes } = world;
    // A minute that passes before the poll of the last one has ended would make the present itself one of the past.
    for (let minutes = 1; way.hung === 0; minutes++) {
      await log.until('Events checked', minutes);
      passes(MINUTE);
    }
    service.world.plantEvent(failed('sms', { subscriber: randomBytes(3_000).toString('hex') }));
    service.world.plantEvent(failed('email', { subscriber: 'ape' }));
    passes(MINUTE);
    await ann.sees('credentials refused (401)', ONCALL);
    expect(log.saying("Late failures couldn't be looked for")).toEqual([]);
  });
});

test(
  'A service that can’t be read is an incident that people act on, and nothing of it is sent again',
  inWorld({}, async ({ ann, ben, service, log, passes }) => {
    await log.until('Events checked');
    service.faults.set('listEvents', { kind: 'status', status: 401 });
    const fails = async (count: number) => {
      passes(MINUTE);
      await log.until("Events couldn't be read", count);
    };
    for (const count of [1, 2]) await fails(count);
    const alert = await ann.sees("Events can't be checked\nthe API key was refused (401)", ONCALL);
    expect(alert.words).toContain('→ Check the API key and its permissions.');
    await ann.clicks('Acknowledge', alert);
    await ann.gets('👀 Acknowledged #1 Service. Mentions stop.', ONCALL);
    await ann.types('/notif resend #1');
    await ann.seesModal('Nothing of #1 can be sent again');
    await ben.types('/notif handover');
    await ben.gets("Events can't be checked", GENERAL);
    service.faults.clear();
    passes(MINUTE);
    expect((await ann.sees("Events couldn't be checked", ONCALL)).words).toMatch('⚪ recovering: checked again since');
  }),
);

describe('an outgoing proxy that refuses', () => {
  const dispatcher = getGlobalDispatcher();
  const refused = new Set(['service.test:80']);
  let world: World;
  let proxy: LocalProxy;
  beforeAll(async () => {
    world = await openWorldAsleep({ variables: { NOTIF_PRODUCTION_API_URL: 'http://service.test' } });
    proxy = await startProxy(Number(new URL(world.service.url).port), refused);
    vi.stubEnv('HTTP_PROXY', `http://user:password@${proxy.host}`);
    // Slack is on this machine.
    vi.stubEnv('NO_PROXY', '127.0.0.1');
    takeProxy(process.env);
    await world.start();
  });
  afterAll(async () => {
    setGlobalDispatcher(dispatcher);
    vi.unstubAllEnvs();
    await world.close();
    proxy.close();
  });

  test('is named to who looks something up or sends a test, of which nothing left, and in the channel, until it lets through', async () => {
    const { ann, log, passes } = world;
    await log.until("Events couldn't be read");
    passes(MINUTE);
    await log.until("Events couldn't be read", 2);
    const why = `the proxy let nothing through (ERR_PROXY ${proxy.host} 407)`;
    const next = 'Check HTTPS_PROXY and HTTP_PROXY, or name its host in NO_PROXY.';
    const answer = await ann.asks('/notif event 65f2a1c0d4e5f60718293a4b');
    expect(answer.words).toContain(`⚠️ Couldn't read from production: ${why}.\n${next}`);
    const alert = await ann.sees("Service doesn't answer\nthe proxy let nothing through", ONCALL);
    expect(alert.words).toContain(`→ ${next}`);
    expect((await ann.asks('/notif doctor')).words).toContain(`${why}.\nNext: ${next}`);
    await ann.types('/notif trigger order-shipped');
    await ann.seesModal('Send a test');
    await ann.fillsIn({ Recipients: 'user-1', Payload: '{}' });
    await ann.submits();
    await ann.seesModal("Notif can't check whether production knows user-1");
    await ann.fillsIn({ Preview: 'Yes, send it' });
    await ann.submits();
    const refusal = await ann.seesModal(`Couldn't send the test to production: ${why}`);
    expect(refusal.words).not.toContain('may or may not');
    refused.clear();
    passes(MINUTE);
    await ann.sees("Service didn't answer\nthe proxy let nothing through", ONCALL);
  });
});
