import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failed } from '../../sandbox/notification-service/examples.ts';
import { ONCALL } from '../support/person.ts';
import { openWorld, type World } from '../support/world.ts';

const TEN_MINUTES = 600_000;

describe('/notif status', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ environments: ['production', 'staging'] });
  });
  afterAll(() => world.close());

  /** Repeats the command until the answer has these words. */
  async function isTold(words: string): Promise<string> {
    let told = '';
    await expect
      .poll(async () => (told = (await world.ann.asks('/notif status')).words), { timeout: 60_000 })
      .toContain(words);
    return told;
  }

  async function probe(path: string): Promise<number> {
    const port = world.log.saying('Listening for health checks').at(-1)?.port;
    return (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  }

  test('reports everything in one message when all is well', async () => {
    const told = await isTold('✅ All up to date: events checked, alerts sent');
    expect(told).not.toContain('production');
    expect(told).toMatch(/Notif \d+\.\d+\.\d+ since/);
  });

  test('accepts no filters', async () => {
    const answer = await world.ann.asks('/notif status channel:email');
    expect(answer.words).toContain('It takes no filters.');
  });

  test('names the key that a service refuses, while the bot stays ready and the other environment gets alerts', async () => {
    world.serviceOf('staging').faults.set('all', { kind: 'status', status: 401 });
    const told = await isTold("staging · can't read events");
    expect(told).toContain("Couldn't read from staging: the API key was refused (401).");
    expect(told).toContain('Check NOTIF_STAGING_API_KEY.');
    await isTold('✅ production · up to date');
    expect([await probe('/readyz'), await probe('/healthz')]).toEqual([200, 200]);
    world.service.world.plantEvent(failed('email', { subscriber: 'ape' }));
    await world.ann.sees('production · Email via SendGrid', ONCALL);
    world.serviceOf('staging').faults.clear();
    expect(await isTold('🔴 1 incident failing')).not.toContain('staging');
  });

  test('says that Slack limits the rate, and what is pending because of it', async () => {
    world.slack.faults.next('chat.postMessage', { kind: 'rate-limited', retryAfterSeconds: 300 });
    world.serviceOf('staging').world.plantEvent(failed('email', { subscriber: 'bee' }));
    const told = await isTold('last failed call chat.postMessage (rate_limited)');
    expect(told).toContain('⏳ 1 message pending');
    expect(await probe('/readyz')).toBe(200);
    world.passes(TEN_MINUTES);
    await world.ann.sees('staging · Email via SendGrid', ONCALL);
    await expect.poll(async () => (await world.ann.asks('/notif status')).words).not.toContain('pending');
  });

  test('names muted channels and when they are unmuted', async () => {
    await world.ann.types('/notif mute 1h', ONCALL);
    await world.ann.sees('muted watch', ONCALL);
    expect(await isTold('🔕')).toMatch(/incidents? .* · 🔕 ⟨channel C0ONCALL⟩ muted until/);
    await world.ann.types('/notif unmute', ONCALL);
    await world.ann.sees('unmuted watch', ONCALL);
  });

  test('says since when polling has stalled while a service hangs', async () => {
    world.service.faults.set('listEvents', { kind: 'hang' });
    world.passes(TEN_MINUTES);
    const told = await isTold('production · polling stalled');
    expect(told).toContain('Polling has stalled without an error. Last success 10 min ago.');
    world.service.faults.clear();
  });
});
