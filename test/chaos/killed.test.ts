import { expect, test } from 'vitest';
import { failed } from '../../sandbox/service/examples.ts';
import { startBotProcess } from '../support/bot.ts';
import { ONCALL } from '../support/person.ts';
import { inWorld, inWorldAsleep } from '../support/world.ts';

/** A claim lasts 30 s. On its own database no other process can hold it, so Notif looks for the unfinished post before the claim ends. */
const BEFORE_THE_CLAIM_ENDS_MS = 25_000;

test(
  "a bot that is killed before Slack has answered its post doesn't repeat it",
  inWorldAsleep({ bot: 'process', database: 'embedded' }, async ({ ann, service, slack, start, kill, log }) => {
    await start();
    slack.faults.next('chat.postMessage', { kind: 'hang', when: 'after' });
    service.world.plantEvent(failed('sms', {}, { raw: JSON.stringify({ message: 'posted before death' }) }));
    await ann.sees('posted before death', ONCALL);
    await kill();
    await start();
    await log.until('Message found in its channel after a lost answer', 1, BEFORE_THE_CLAIM_ENDS_MS);
    expect(ann.messages(ONCALL)).toHaveLength(1);
  }),
);

test(
  'two replicas on one PostgreSQL announce a failure once, and one continues when the other dies',
  inWorld({ database: 'server', bot: 'process' }, async ({ ann, service, variables, log, kill }) => {
    const other = await startBotProcess({ variables, log });
    await other.ready();
    const fails = (word: string) =>
      service.world.plantEvent(failed('email', { subscriber: word }, { raw: JSON.stringify({ message: word }) }));
    fails('cat');
    await ann.sees('“cat”', ONCALL);
    await log.until('Message posted');

    await kill();
    fails('dog');
    await ann.sees('“dog”', ONCALL);
    await log.until('Message posted', 2);
    expect(ann.messages(ONCALL)).toHaveLength(2);
    await other.stop();
  }),
);
