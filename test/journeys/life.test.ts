import { describe, expect, test, vi } from 'vitest';
import { failed } from '../../sandbox/service/examples.ts';
import { runBot, startBotProcess } from '../support/bot.ts';
import { BotLog } from '../support/bot-log.ts';
import { ONCALL } from '../support/person.ts';
import { inWorld, inWorldAsleep } from '../support/world.ts';

describe.concurrent('starting', () => {
  test('without a configuration lists everything that is missing, and names the sandbox', async () => {
    const { code, complaint } = await runBot({ variables: { LOG_LEVEL: 'loud' }, log: new BotLog() });
    expect(code).toBe(78);
    for (const variable of ['NOTIF_API_URL', 'NOTIF_API_KEY', 'SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'LOG_LEVEL']) {
      expect(complaint).toMatch(new RegExp(`  ${variable} is(?:n't)? `));
    }
    expect(complaint).toContain('npm run sandbox');
    expect(complaint).not.toMatch(/\n {4}at |loud/);
  });

  test(
    'without a scope logs which one is missing',
    inWorldAsleep({}, async ({ slack, start, log }) => {
      slack.workspace.revoke('users:read');
      await start();
      const lines = log.saying("Slack didn't grant a scope that Notif needs");
      expect(lines).toEqual([expect.objectContaining({ level: 'warn', missing: ['users:read'] })]);
    }),
  );
});

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
      expect(digest.words).toContain('SendGrid refuses every email: API key refused (401)\n60 of 60 since');
      await log.until('Message posted');
      expect(ann.messages(ONCALL)).toHaveLength(1);

      slack.faults.next('chat.postMessage', { kind: 'hang', when: 'after' });
      service.world.plantEvent(failed('sms', {}, { raw: JSON.stringify({ message: 'posted before death' }) }));
      await ann.sees('posted before death', ONCALL);
      await kill();
      await start();
      await log.until('Message found in its channel after a lost answer', 1, BEFORE_THE_CLAIM_ENDS_MS);
      expect(ann.messages(ONCALL)).toHaveLength(2);
    },
  ),
);

test(
  'two replicas on one PostgreSQL announce a failure once, and one continues when the other dies',
  inWorld({ database: 'server', bot: 'process' }, async ({ ann, service, variables, log, kill }) => {
    const other = await startBotProcess({ variables, log });
    await other.ready();
    const fails = (word: string) =>
      service.world.plantEvent(failed('email', { subscriber: word }, { raw: JSON.stringify({ message: word }) }));
    for (const word of ['ape', 'bee', 'cat']) {
      fails(word);
      await ann.sees(`“${word}”`, ONCALL);
    }
    await log.until('Message posted', 3);

    await kill();
    fails('dog');
    await ann.sees('“dog”', ONCALL);
    await log.until('Message posted', 4);
    expect(ann.messages(ONCALL)).toHaveLength(4);
    await other.stop();
  }),
);
