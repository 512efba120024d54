import { describe, expect, test, vi } from 'vitest';
import { failed } from '../../sandbox/notification-service/examples.ts';
import { ONCALL } from '../support/person.ts';
import { inWorldAsleep, type World } from '../support/world.ts';

const POLL_SECONDS = 3;

/** A claim lasts 30 s. On its own database no other process can hold it, so Notif looks for the unfinished post before the claim ends. */
const BEFORE_THE_CLAIM_ENDS_MS = 25_000;

const options = { bot: 'process', variables: { NOTIF_POLL_SECONDS: `${POLL_SECONDS}` } } as const;

describe('a bot that is killed', () => {
  test('loses and repeats no failure when it dies while polling', inWorldAsleep(options, diesWhileItReads));

  test(
    "finds its post soon after the restart when it died before Slack's answer, on the embedded database",
    inWorldAsleep({ ...options, database: 'embedded' }, diesBeforeSlackHasAnswered),
  );
});

async function diesWhileItReads({ ann, service, start, kill, log }: World): Promise<void> {
  for (const number of Array(60).keys()) {
    service.world.plantEvent(failed('email', { subscriber: `user-${number}` }));
  }
  // The first page is answered; the bot dies waiting for the second.
  service.faults.set('listEvents', { kind: 'hang' }, { times: 1, page: 1 });
  await start();
  await vi.waitUntil(() => service.requests.some(({ query }) => query.page === '1'), { timeout: 60_000 });
  await kill();
  await start();
  const digest = await ann.sees('60 subscribers', ONCALL);
  expect(digest.words).toContain('60 failures · 60 of its 60 events · 60 subscribers');
  await log.until('message posted');
  expect(ann.messages(ONCALL)).toHaveLength(1);
}

async function diesBeforeSlackHasAnswered({ ann, service, slack, start, kill, log }: World): Promise<void> {
  await start();
  slack.faults.next('chat.postMessage', { kind: 'hang', when: 'after' });
  service.world.plantEvent(failed('sms', { subscriber: 'posted-before-death' }));
  await ann.sees('for posted-before-death', ONCALL);
  await kill();
  await start();
  await log.until('message found in its channel after a lost answer', 1, BEFORE_THE_CLAIM_ENDS_MS);
  expect(ann.messages(ONCALL)).toHaveLength(1);
}
