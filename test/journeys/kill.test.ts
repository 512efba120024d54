import { describe, expect, it, vi } from 'vitest';
import { failed } from '../../sandbox/notification-service/examples.ts';
import { ENGINES } from '../../src/store/store.testing.ts';
import { ONCALL } from '../support/person.ts';
import { inWorld, inWorldAsleep } from '../support/world.ts';

/** A digest that was being posted when the process died is taken up again half a minute later. */
const LEASE = 60_000;

describe.concurrent.each(ENGINES)('a bot that is killed, with the %s PostgreSQL', (database) => {
  it(
    'has lost and repeated nothing when it dies while it reads',
    inWorldAsleep({ database, bot: 'process' }, async ({ ann, service, start, kill, log }) => {
      for (const number of Array(120).keys()) {
        service.world.plantEvent(failed('email', { subscriber: `user-${number}` }));
      }
      // The first page is answered; the second is what it dies of waiting for.
      service.faults.set('listEvents', { kind: 'slow', ms: 0 }, { times: 1 });
      service.faults.set('listEvents', { kind: 'hang' }, { times: 1 });
      await start();
      await vi.waitUntil(() => service.requests.count('listEvents') === 2, { timeout: 20_000 });
      await kill();
      await start();
      const digest = await ann.sees('120 subscribers', ONCALL);
      expect(digest.words).toContain('120 events read · 120 failed (100 %)');
      await log.until('message posted');
      expect(ann.messages(ONCALL)).toHaveLength(1);
    }),
  );

  it(
    'finds what it had posted when it dies before Slack has answered',
    { timeout: 2 * LEASE },
    inWorld({ database, bot: 'process' }, async ({ ann, service, slack, start, kill, log }) => {
      slack.faults.next('chat.postMessage', { kind: 'hang', when: 'after' });
      service.world.plantEvent(failed('email', { subscriber: 'user-1' }));
      await ann.sees('for user-1', ONCALL);
      await kill();
      await start();
      await log.until('message found in its channel after a lost answer', 1, LEASE);
      expect(ann.messages(ONCALL)).toHaveLength(1);
    }),
  );
});
