import { describe, expect, test } from 'vitest';
import { runBot, startBotProcess } from '../support/bot.ts';
import { BotLog } from '../support/bot-log.ts';
import { inWorld, inWorldAsleep } from '../support/world.ts';

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
  ])('with a %s that Slack refuses names it and exits', (variable, token) =>
    inWorldAsleep({ database: 'server' }, async ({ variables, log }) => {
      const { code, complaint } = await runBot({ variables: { ...variables, [variable]: token }, log });
      expect(code).toBe(1);
      expect(complaint).toBe('');
      const [line] = log.saying('The process ends because of an error');
      expect(JSON.stringify(line)).toContain(variable);
      expect(JSON.stringify(line)).toContain('invalid_auth');
      expect(JSON.stringify(line)).not.toContain(token);
      log.expects(/The process ends because of an error/);
    })(),
  );

  test(
    'without a scope logs which one is missing and what it is for',
    inWorldAsleep({ database: 'server' }, async ({ slack, start, log }) => {
      slack.workspace.revoke('users:read');
      await start();
      const lines = log.saying('Slack did not grant a scope that Notif needs');
      expect(lines).toEqual([expect.objectContaining({ level: 'warn', scope: 'users:read' })]);
      expect(JSON.stringify(lines)).toContain('telling members from guests');
    }),
  );

  test(
    'while Slack is down keeps trying, and connects when it is back',
    inWorldAsleep({ database: 'server' }, async ({ variables, log, lines, ann }) => {
      await lines.slack.cut();
      const bot = await startBotProcess({ variables, log });
      await log.until("Slack can't be reached; trying again");
      await lines.slack.restore();
      await bot.ready();
      expect((await ann.asks('/notif help')).words).toContain('/notif event');
      await bot.stop();
    }),
  );

  test(
    'a second process on the same data folder is refused, with what to do',
    inWorld({ database: 'embedded' }, async ({ variables, log }) => {
      const { code } = await runBot({ variables, log });
      expect(code).toBe(1);
      const [line] = log.saying('another process uses the data folder');
      expect(JSON.stringify(line)).toContain('set NOTIF_DATA_DIR to another folder, or set DATABASE_URL');
      log.expects(/The process ends because of an error/);
    }),
  );
});
