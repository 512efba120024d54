import { expect, test, vi } from 'vitest';
import { failed } from '../../sandbox/notification-service/examples.ts';
import { ONCALL } from '../support/person.ts';
import { inWorldAsleep } from '../support/world.ts';

const POLL_SECONDS = 3;

/** A claim lasts 30 s. On its own database no other process can hold it, so Notif looks for the unfinished post before the claim ends. */
const BEFORE_THE_CLAIM_ENDS_MS = 25_000;

test(
  'a bot that is killed loses and repeats no failure, whether it dies while polling or before Slack has answered',
  inWorldAsleep(
    { bot: 'process', database: 'embedded', variables: { NOTIF_POLL_SECONDS: `${POLL_SECONDS}` } },
    async ({ ann, service, slack, start, kill, log }) => {
      for (let number = 0; number < 60; number++) {
        service.world.plantEvent(failed('email', { subscriber: `user-${number}` }));
      }
      // The first page is answered; the bot dies waiting for the second.
      service.faults.set('listEvents', { kind: 'hang' }, { times: 1, page: 1 });
      await start();
      await vi.waitUntil(() => service.requests.some(({ query }) => query.page === '1'), { timeout: 60_000 });
      await kill();
      await start();
      const digest = await ann.sees('60 people', ONCALL);
      expect(digest.words).toContain('SendGrid refuses every email: Unauthorized (401)\n60 of 60 since');
      await log.until('message posted');
      expect(ann.messages(ONCALL)).toHaveLength(1);

      slack.faults.next('chat.postMessage', { kind: 'hang', when: 'after' });
      service.world.plantEvent(failed('sms', {}, { raw: JSON.stringify({ message: 'posted before death' }) }));
      await ann.sees('posted before death', ONCALL);
      await kill();
      await start();
      await log.until('message found in its channel after a lost answer', 1, BEFORE_THE_CLAIM_ENDS_MS);
      expect(ann.messages(ONCALL)).toHaveLength(2);
    },
  ),
);
