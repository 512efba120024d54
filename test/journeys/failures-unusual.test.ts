import { describe, expect, it, vi } from 'vitest';
import { delivered, failed, hostile } from '../../sandbox/notification-service/examples.ts';
import { inWorldAsleep, type World } from '../support/world.ts';

/** The first poll of the bot waits for an answer, so nothing is stored yet. */
async function startUnread({ service, start }: World): Promise<void> {
  service.faults.set('listEvents', { kind: 'hang' }, { times: 1 });
  await start();
  await vi.waitUntil(() => service.requests.count('listEvents') > 0);
}

describe.concurrent('a look at failures', () => {
  it(
    'reads them itself before the first poll has',
    inWorldAsleep({}, async (world) => {
      world.service.world.plantEvent(failed('email', { subscriber: 'early' }));
      await startUnread(world);
      const answer = await world.ann.asks('/notif failures');
      expect(answer.words).toContain('1 failure in 1 group');
      expect(answer.words).toContain('for early');
    }),
  );

  it(
    'stops after two thousand events, says how far it came, and goes on by a click',
    inWorldAsleep({}, async (world) => {
      const { ann, service } = world;
      const now = service.world.now();
      service.world.plantEvent(failed('email', { subscriber: 'oldest', createdAt: now - 50 * 60_000 }));
      for (const second of Array(2_100).keys()) {
        service.world.plantEvent({ subscriber: 'somebody', createdAt: now - 2_400_000 + second * 1_000 });
      }
      await startUnread(world);
      const answer = await ann.asks('/notif failures');
      expect(answer.words).toMatch(/✅ No failures in production between .* 2,000 events read, all accounted for\./);
      expect(answer.words).toContain('The time before that was not read yet.');
      await ann.clicks('Go on', answer);
      await ann.gets('for oldest');
    }),
  );

  it(
    'pages through many groups',
    inWorldAsleep({}, async ({ ann, service, start, log }) => {
      for (const word of ['ape', 'bee', 'cat', 'dog', 'eel', 'fox', 'gnu', 'hen', 'ibex', 'jay', 'koi', 'lynx']) {
        service.world.plantEvent(failed('email', { subscriber: word }, { raw: JSON.stringify({ message: word }) }));
      }
      await start();
      await log.until('events read');
      const first = await ann.asks('/notif failures');
      expect(first.words).toContain('Groups 1 to 10 of 12');
      await ann.clicks('Next', first);
      const second = await ann.gets('Groups 11 to 12 of 12');
      expect(second.spot).toEqual(first.spot);
      await ann.clicks('Previous', second);
      await ann.gets('Groups 1 to 10 of 12');
    }),
  );

  it(
    'takes what strangers wrote as text, never as markup',
    inWorldAsleep({}, async ({ ann, service, start }) => {
      service.world.plantEvent(hostile({ subscriber: '<!everyone>' }));
      await start();
      const answer = await ann.asks('/notif failures');
      expect(answer.words).toContain('<@U0VICTIM> ∗bold∗ ˋcodeˋ & "quotes" \'; DROP TABLE groups; --');
      expect(answer.words).toContain('e.g. txn-<!here> for <!everyone>');
      expect(answer.words + answer.spoken).not.toContain('⟨');
    }),
  );

  it(
    'tells what it knows and what is wrong when the service cannot be read',
    inWorldAsleep({}, async ({ ann, service, start, log, passes }) => {
      service.world.plantEvent(failed('email', { subscriber: 'known' }));
      service.world.plantEvent(delivered());
      await start();
      await log.until('events read');
      service.faults.set('listEvents', { kind: 'status', status: 401 });
      passes(60_000);
      const answer = await ann.asks('/notif failures');
      expect(answer.words).toContain('for known');
      expect(answer.words).toContain('production could not be read: the API key was refused (401).');
    }),
  );
});
