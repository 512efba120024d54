import { describe, expect, it, vi } from 'vitest';
import { failed } from '../../sandbox/notification-service/examples.ts';
import { ONCALL } from '../support/person.ts';
import { inWorldAsleep, type World } from '../support/world.ts';

/** A digest that was being posted when the process died is taken up again half a minute later. */
const LEASE = 60_000;

describe('a bot that is killed', () => {
  it(
    'has lost and repeated nothing, whether it dies while it reads or before Slack has answered what it posted',
    { timeout: 3 * LEASE },
    inWorldAsleep({ bot: 'process', variables: { NOTIF_POLL_SECONDS: '3' } }, async (world) => {
      await diesWhileItReads(world);
      await diesBeforeSlackHasAnswered(world);
    }),
  );
});

async function diesWhileItReads({ ann, service, start, kill, log }: World): Promise<void> {
  for (const number of Array(60).keys()) {
    service.world.plantEvent(failed('email', { subscriber: `user-${number}` }));
  }
  // The first page is answered; the second is what it dies of waiting for.
  service.faults.set('listEvents', { kind: 'slow', ms: 0 }, { times: 1 });
  service.faults.set('listEvents', { kind: 'hang' }, { times: 1 });
  await start();
  await vi.waitUntil(() => service.requests.count('listEvents') === 2, { timeout: 20_000 });
  await kill();
  await start();
  const digest = await ann.sees('60 subscribers', ONCALL);
  expect(digest.words).toContain('60 events read · 60 failed (100 %)');
  await log.until('message posted');
  expect(ann.messages(ONCALL)).toHaveLength(1);
}

async function diesBeforeSlackHasAnswered({ ann, service, slack, start, kill, log }: World): Promise<void> {
  slack.faults.next('chat.postMessage', { kind: 'hang', when: 'after' });
  service.world.plantEvent(failed('sms', { subscriber: 'posted-before-death' }));
  await ann.sees('for posted-before-death', ONCALL);
  await kill();
  await start();
  await log.until('message found in its channel after a lost answer', 1, LEASE);
  expect(ann.messages(ONCALL)).toHaveLength(2);
}
