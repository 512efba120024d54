import { fileURLToPath } from 'node:url';
import { App, LogLevel } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LocalSlack, startLocalSlack } from './server.ts';

const manifestFile = fileURLToPath(new URL('../../manifest.yml', import.meta.url));

describe('a Bolt app on the local Slack', () => {
  let slack: LocalSlack;
  let app: App;

  beforeEach(async () => {
    slack = await startLocalSlack({ manifestFile });
    app = new App({
      token: slack.botToken,
      appToken: slack.appToken,
      socketMode: true,
      logLevel: LogLevel.ERROR,
      clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } },
    });
  });
  afterEach(async () => {
    await app.stop();
    await slack.close();
  });

  test('receives a command, answers it, and receives a click on its answer', async () => {
    app.command('/notif', async ({ ack, respond, command }) => {
      await ack();
      const button = {
        type: 'button' as const,
        action_id: 'refresh',
        text: { type: 'plain_text' as const, text: 'Refresh' },
      };
      await respond({ text: `you said ${command.text}`, blocks: [{ type: 'actions', elements: [button] }] });
    });
    app.action('refresh', async ({ ack, respond }) => {
      await ack();
      await respond({ text: 'refreshed', replace_original: true });
    });
    await app.start();
    const ann = slack.workspace.as('U0ANN');

    expect(await ann.types('C0ONCALL', '/notif failures')).toMatchObject({ ok: true });
    const answer = await slack.workspace.until(() => ann.sees('C0ONCALL').at(-1), { what: 'the answer' });
    expect(answer).toMatchObject({ text: 'you said failures', onlyVisibleTo: 'U0ANN' });

    expect(await ann.clicks({ channel: 'C0ONCALL', ts: answer.ts }, { text: 'Refresh' })).toMatchObject({ ok: true });
    await slack.workspace.until(() => ann.sees('C0ONCALL').at(-1)?.text === 'refreshed', { what: 'the refresh' });
  });
});
