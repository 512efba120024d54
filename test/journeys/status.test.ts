import { describe, expect, test } from 'vitest';
import { failed } from '../../sandbox/service/examples.ts';
import { ONCALL, type Person, type ShownModal } from '../support/person.ts';
import { openWorld, sharedWorld } from '../support/world.ts';

const TEN_MINUTES = 600_000;

const world = sharedWorld(() => openWorld({ environments: ['production', 'staging'] }));

/** Repeats the command until the answer has these words. */
async function statusWith(words: string): Promise<string> {
  let status = '';
  await expect
    .poll(async () => (status = (await world.ann.asks('/notif status')).words), { interval: 250 })
    .toContain(words);
  return status;
}

async function probe(path: string): Promise<number> {
  const port = world.log.saying('Listening for health checks').at(-1)?.port;
  return (await fetch(`http://127.0.0.1:${port}${path}`)).status;
}

test('/notif status reports everything in one message when all is well', async () => {
  const status = await statusWith('✅ All up to date: events checked, alerts sent');
  expect(status).not.toContain('production');
  expect(status).toMatch(/Notif \d+\.\d+\.\d+ since/);
});

describe('the Home tab', () => {
  test('shows the open incidents, then a line for each environment', async () => {
    world.service.world.plantEvent(failed('email', { subscriber: 'ant' }));
    await world.polls();
    await world.ann.sees('SendGrid', ONCALL);
    await world.ann.opensHome();
    const { words } = await world.ann.seesHome('1 incident failing');
    // A check that takes longer than people wait for it goes on.
    for (const name of ['production', 'staging']) {
      expect(words).toMatch(new RegExp(`${name} · (up to date|still being checked) · as of`));
    }
    expect(words).toContain('Updated');
    expect(words).toContain('Send a test');
    expect(words).not.toContain('ant');
  });

  test('offers a test only to operators', async () => {
    await world.ben.opensHome();
    expect((await world.ben.seesHome('1 incident failing')).words).not.toContain('Send a test');
  });

  test('refreshes by its button', async () => {
    world.service.world.plantEvent(failed('sms', { subscriber: 'bee' }));
    await world.polls();
    await world.ben.clicks('Refresh', homeOf(world.ben));
    await world.ben.seesHome('2 incidents failing');
  });

  test('opens an example of an incident, the lookup form and the form for a test', async () => {
    await world.ann.opens('Example', homeOf(world.ann), 'Failed');
    await world.ann.closesAll();
    await world.ann.opens('Send a test', homeOf(world.ann), 'Recipients');
    await world.ann.closesAll();
    await world.ann.opens('Look up', homeOf(world.ann), 'Find a notification');
    await world.ann.closesAll();
  });

  test("shows an incident's events and whom they affected, in a modal", async () => {
    const affected = await world.ann.opens('View affected', homeOf(world.ann), 'Download CSV');
    await world.ann.opens('View events', affected, 'Transaction');
    await world.ann.closesAll();
  });
});

describe('/notif status', () => {
  test('names the key that a service refuses, while the bot stays ready and the other environment gets alerts', async () => {
    world.serviceOf('staging').faults.set('all', { kind: 'status', status: 401 });
    const status = await statusWith("staging · can't read events");
    expect(status).toContain('the API key was refused (401).');
    expect(status).toContain('Check NOTIF_STAGING_API_KEY and its permissions.');
    await statusWith('✅ production · up to date');
    expect([await probe('/readyz'), await probe('/healthz')]).toEqual([200, 200]);
    world.service.world.plantEvent(failed('email', {}, { raw: JSON.stringify({ message: 'ape' }) }));
    await world.polls();
    await world.ann.sees('“ape”', ONCALL);
    world.serviceOf('staging').faults.clear();
    expect(await statusWith('✅ production, staging · up to date')).toContain('🔴 3 incidents failing');
  });

  test('says what is pending while Slack limits the rate', async () => {
    world.slack.faults.next('chat.postMessage', { kind: 'rate-limited', retryAfterSeconds: 300 });
    world.serviceOf('staging').world.plantEvent(failed('email', { subscriber: 'bee' }));
    await world.polls('staging');
    await world.log.until("Slack's answer to a post");
    await statusWith('⏳ 1 message pending');
    expect(await probe('/readyz')).toBe(200);
    world.passes(TEN_MINUTES);
    await world.polls();
    await world.ann.sees('staging · Email via SendGrid', ONCALL);
    await expect
      .poll(async () => (await world.ann.asks('/notif status')).words, { interval: 250 })
      .not.toContain('pending');
  });

  test('names muted channels and when they are unmuted', async () => {
    await world.ann.types('/notif mute 1h', ONCALL);
    await world.ann.sees('muted watch', ONCALL);
    expect(await statusWith('🔕')).toMatch(/incidents? .* · 🔕 1 watch in ⟨channel C0ONCALL⟩ muted until/);
    await world.ann.types('/notif unmute', ONCALL);
    await world.ann.sees('unmuted watch', ONCALL);
  });
});

function homeOf(person: Person): ShownModal {
  const home = person.home();
  if (home === undefined) throw new Error(`${person.id} has no Home tab`);
  return home;
}
