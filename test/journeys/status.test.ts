import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failed } from '../../sandbox/notification-service/examples.ts';
import { ONCALL } from '../support/person.ts';
import { openWorld, type World } from '../support/world.ts';

const TEN_MINUTES = 600_000;

describe('how Notif does', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ environments: ['production', 'staging'] });
  });
  afterAll(() => world.close());

  /** Asks for the status until it says this. */
  async function isTold(words: string): Promise<string> {
    let told = '';
    await expect
      .poll(async () => (told = (await world.ann.asks('/notif status')).words), { timeout: 20_000 })
      .toContain(words);
    return told;
  }

  async function probe(path: string): Promise<number> {
    const port = world.log.saying('Listening for health checks').at(-1)?.port;
    return (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  }

  it('is told in one message when all is well', async () => {
    const told = await isTold('✅ All is read, and all is told');
    expect(told).toContain('✅ production is read · read to');
    expect(told).toContain('✅ staging is read · read to');
    expect(told).toContain('Messages: none waits');
    expect(told).toMatch(/Database: .*answers in \d+ ms/);
    expect(told).toMatch(/Notif \d+\.\d+\.\d+ since/);
  });

  it('takes no filters', async () => {
    const answer = await world.ann.asks('/notif status channel:email');
    expect(answer.words).toContain('/notif status takes no filters');
  });

  it('names the key that a service refuses, while the bot stays ready and the other environment is told about', async () => {
    world.serviceOf('staging').faults.set('all', { kind: 'status', status: 401 });
    const told = await isTold('staging can not be read');
    expect(told).toContain('staging could not be read: the API key was refused (401).');
    expect(told).toContain('Check NOTIF_STAGING_API_KEY.');
    await isTold('✅ production is read');
    expect([await probe('/readyz'), await probe('/healthz')]).toEqual([200, 200]);
    world.service.world.plantEvent(failed('email', { subscriber: 'ape' }));
    await world.ann.sees('for ape', ONCALL);
    world.serviceOf('staging').faults.clear();
    await isTold('✅ All is read');
  });

  it('says that Slack asked to slow down, and what waits for that', async () => {
    world.slack.faults.next('chat.postMessage', { kind: 'rate-limited', retryAfterSeconds: 300 });
    world.serviceOf('staging').world.plantEvent(failed('email', { subscriber: 'bee' }));
    const told = await isTold('last call that failed: chat.postMessage with rate_limited');
    expect(told).toContain('Slack asked to slow down, and Notif waits');
    expect(told).toContain('Messages: 1 message waits');
    expect(await probe('/readyz')).toBe(200);
    world.passes(TEN_MINUTES);
    await world.ann.sees('for bee', ONCALL);
    await isTold('✅ All is read, and all is told');
  });

  it('says that nothing was read lately where a service only hangs, and since when', async () => {
    world.service.faults.set('listEvents', { kind: 'hang' });
    world.passes(TEN_MINUTES);
    const told = await isTold('production is not being read');
    expect(told).toContain('No round has read all that is new, and none has failed. The last one began 10 min ago.');
    world.service.faults.clear();
  });
});
