import { describe, expect, test } from 'vitest';
import { runBot } from '../support/bot.ts';
import { BotLog } from '../support/bot-log.ts';
import { inWorldAsleep } from '../support/world.ts';

describe.concurrent('starting', () => {
  test('without a configuration lists everything that is missing, and names the sandbox', async () => {
    const { code, complaint } = await runBot({ variables: { LOG_LEVEL: 'loud' }, log: new BotLog() });
    expect(code).toBe(1);
    for (const variable of ['NOTIF_API_URL', 'NOTIF_API_KEY', 'SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'LOG_LEVEL']) {
      expect(complaint).toMatch(new RegExp(`  ${variable} is(?:n't)? `));
    }
    expect(complaint).toContain('npm run sandbox');
    expect(complaint).not.toMatch(/\n {4}at |loud/);
  });

  test.each([
    ['SLACK_BOT_TOKEN', 'xoxb-wrong'],
    ['SLACK_APP_TOKEN', 'xapp-wrong'],
  ])('with a %s that Slack refuses ends, and names it', (variable, token) =>
    inWorldAsleep({ variables: { [variable]: token } }, async ({ start }) => {
      const error = await start().catch((reason: unknown) => reason);
      expect(String(error)).toContain(variable);
      expect(String(error)).toContain('invalid_auth');
      expect(String(error)).not.toContain(token);
    })(),
  );

  test(
    'without a scope logs which one is missing and what it is for',
    inWorldAsleep({}, async ({ slack, start, log }) => {
      slack.workspace.revoke('users:read');
      await start();
      const lines = log.saying('Slack did not grant a scope that Notif needs');
      expect(lines).toEqual([expect.objectContaining({ level: 'warn', scope: 'users:read' })]);
      expect(JSON.stringify(lines)).toContain('telling members from guests');
    }),
  );

  test(
    'while Slack is down keeps trying, and connects when it is back',
    inWorldAsleep({}, async ({ start, log, lines, ann }) => {
      await lines.slack.cut();
      const started = start();
      await log.until("Slack can't be reached; trying again");
      await lines.slack.restore();
      await started;
      expect((await ann.asks('/notif help')).words).toContain('Look something up');
    }),
  );
});
