import type { App } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { botOf, clientOf, startSlack } from '../local-slack.testing.ts';
import type { LocalSlack } from '../server.ts';

describe('events', () => {
  let slack: LocalSlack;
  let app: App;
  let heard: object[];

  beforeEach(async () => {
    slack = await startSlack();
    app = botOf(slack);
    heard = [];
    for (const name of ['app_mention', 'message']) app.event(name, async ({ event }) => void heard.push(event));
    await app.start();
  });
  afterEach(async () => {
    await app.stop();
    await slack.close();
  });

  const ann = () => slack.workspace.as('U0ANN');

  test('report a mention in a channel that the bot is in, and in a thread there', async () => {
    await ann().says('C0ONCALL', 'hey @Notif, where is txn_1?');
    const { ts = '' } = ann().sees('C0ONCALL')[0] ?? {};
    await ann().says('C0ONCALL', '@notif and txn_2?', { threadTs: ts });
    await ann().says('C0ONCALL', 'not for you');
    await ann().says('C0QUIET', '@Notif are you here?');
    await vi.waitFor(() => expect(heard).toHaveLength(2), { timeout: 60_000 });
    const text = 'hey <@U0BOT>, where is txn_1?';
    const said = { type: 'app_mention', channel: 'C0ONCALL', user: 'U0ANN' };
    expect(heard).toMatchObject([
      { ...said, text, ts, event_ts: ts },
      { ...said, thread_ts: ts },
    ]);
    expect(heard[0]).not.toHaveProperty('thread_ts');
  });

  test('report a direct message, but not the bot’s own and no edits', async () => {
    const client = clientOf(slack);
    const { ts = '' } = await client.chat.postMessage({ channel: 'D0ANN', text: 'mine' });
    await client.chat.update({ channel: 'D0ANN', ts, text: 'still mine' });
    await ann().says('D0ANN', 'txn_1');
    await vi.waitFor(() => expect(heard).toHaveLength(1), { timeout: 60_000 });
    expect(heard).toMatchObject([
      { type: 'message', channel_type: 'im', channel: 'D0ANN', user: 'U0ANN', text: 'txn_1' },
    ]);
  });
});
