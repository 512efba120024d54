import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delayedForHours, delivered } from '../../sandbox/notification-service/examples.ts';
import { inWorldAsleep, openWorldAsleep, type World } from '../support/world.ts';

const MINUTE = 60_000;

describe('/notif failures between two polls', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorldAsleep({ variables: { NOTIF_POLL_SECONDS: '3600' } });
    const { service } = world;
    const createdAt = service.world.now() - 20 * MINUTE;
    service.world.plantEvent(delivered({ subscriber: 'user-mail', createdAt }));
    service.world.plantEvent(delayedForHours({ subscriber: 'user-delayed', createdAt }));
    await world.start();
    await world.log.until('events checked');
  });
  afterAll(() => world.close());

  /** Asks again if the text is missing: on a busy machine two seconds may not be enough for a check. */
  async function answerWith(text: string): Promise<string> {
    for (let asked = 1; ; asked++) {
      const { words } = await world.ann.asks('/notif failures');
      if (words.includes(text) || asked === 5) return words;
    }
  }

  test('gives the all-clear with the number of events and the time of the check', async () => {
    const words = await answerWith('✅');
    expect(words).toMatch(/✅ No failures in production in the last hour \(2 events\)\./);
    expect(words).toMatch(/Up to date \d/);
  });

  test('shows an event that was created since the last poll', async () => {
    world.passes(MINUTE);
    world.service.world.plantEvent({ subscriber: 'user-new' });
    expect(await answerWith('3 events')).toContain('3 events');
  });

  test('answers after two seconds, as of the last check, while the service hangs', async () => {
    world.service.faults.set('all', { kind: 'hang' });
    world.passes(30 * MINUTE);
    const askedAt = Date.now();
    const { words } = await world.ann.asks('/notif failures channel:push');
    expect(Date.now() - askedAt).toBeLessThan(25_000);
    expect(words).toMatch(/⚪ No failures found in production in the last hour[\s\S]*As of/);
    expect(words).toContain('Not checked yet:');
    expect(words).not.toContain('✅');
  });
});

test(
  '/notif failures says why nothing is checked while polls pause for a rate limit',
  inWorldAsleep({ variables: { NOTIF_POLL_SECONDS: '3600' } }, async (world) => {
    await world.start();
    await world.log.until('events checked');
    world.service.faults.set('all', { kind: 'status', status: 429, retryAfterSeconds: 240 });
    await world.ann.asks('/notif failures');
    // Whichever job asks first meets the limit, and the pause is everybody's.
    await world.log.until("couldn't be read");
    world.passes(MINUTE);
    const { words } = await world.ann.asks('/notif failures');
    expect(words).toContain('its rate limit is used up (429)');
    expect(words).not.toContain('✅');
  }),
);
